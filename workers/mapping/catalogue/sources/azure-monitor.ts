import type { CatalogueSource } from '../source.js';

export default {
  name: 'azure-monitor',
  title: 'Azure Monitor (common alert schema)',
  documentation: 'https://learn.microsoft.com/azure/azure-monitor/alerts/alerts-common-schema',
  sample: {
    schemaId: 'azureMonitorCommonAlertSchema',
    data: {
      essentials: {
        alertId: '/subscriptions/0000/providers/Microsoft.AlertsManagement/alerts/1111',
        alertRule: 'vm-memory',
        severity: 'Sev1',
        signalType: 'Metric',
        monitorCondition: 'Fired',
        monitoringService: 'Platform',
        alertTargetIDs: [
          '/subscriptions/0000/resourcegroups/shop/providers/microsoft.compute/virtualmachines/vm-8',
        ],
        configurationItems: ['vm-8'],
        originAlertId: '2222_shop_microsoft.insights_metricAlerts_vm-memory',
        firedDateTime: '2026-02-03T10:20:00.0000000Z',
        description: 'Less than 5 % of memory is free',
        essentialsVersion: '1.0',
        alertContextVersion: '1.0',
      },
      alertContext: {
        conditionType: 'SingleResourceMultipleMetricCriteria',
        condition: {
          windowSize: 'PT5M',
          allOf: [
            {
              metricName: 'Available Memory Percentage',
              metricNamespace: 'Microsoft.Compute/virtualMachines',
              operator: 'LessThan',
              threshold: '5',
              timeAggregation: 'Average',
              dimensions: [{ name: 'ResourceId', value: '3333' }],
              metricValue: 3.1,
            },
          ],
        },
      },
      customProperties: { team: 'compute', environment: 'production' },
    },
  },
  mapping: {
    fields: {
      title: { template: '{{webhook.data.essentials.alertRule}}' },
      severity: {
        template: '{{webhook.data.essentials.severity}}',
        values: { Sev0: 'critical', Sev1: 'error', Sev2: 'warning', Sev3: 'info', Sev4: 'info' },
        default: 'warning',
      },
      description: {
        template: `{{#webhook.data.essentials.description}}{{.}}{{/webhook.data.essentials.description}}{{^webhook.data.essentials.description}}{{webhook.data.essentials.alertRule}}: {{webhook.data.essentials.monitorCondition}}{{/webhook.data.essentials.description}}`,
      },
      source: { template: 'Azure Monitor' },
      service: { template: '{{webhook.data.essentials.configurationItems[0]}}' },
      environment: { template: '{{webhook.data.customProperties.environment}}' },
      team: { template: '{{webhook.data.customProperties.team}}' },
    },
    custom: {
      condition: { template: '{{webhook.data.essentials.monitorCondition}}' },
      metric: { template: '{{webhook.data.alertContext.condition.allOf[0].metricName}}' },
      value: { template: '{{webhook.data.alertContext.condition.allOf[0].metricValue}}' },
    },
  },
  expected: [
    {
      title: 'vm-memory',
      severity: 'error',
      description: 'Less than 5 % of memory is free',
      source: 'Azure Monitor',
      service: 'vm-8',
      environment: 'production',
      team: 'compute',
    },
  ],
} satisfies CatalogueSource;
