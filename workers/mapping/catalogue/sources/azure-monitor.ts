import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

/** Severities of the common alert schema and of the older metric alerts. */
const LEVELS = ['critical', 'error', 'warning', 'info', 'info'];
const SEV = Object.fromEntries(
  LEVELS.flatMap((ours, level) => [
    [`Sev${level}`, ours],
    [String(level), ours],
  ]),
);

/** Renders the description if the alert has one, otherwise the name and the condition of its rule. */
const described = (alert: string, name: string, condition: string): string =>
  `{{#${alert}}}{{#description}}{{.}}{{/description}}{{^description}}{{#${name}}}{{.}}: {{${condition}}}{{/${name}}}{{/description}}{{/${alert}}}`;

export default {
  name: 'azure-monitor',
  title: 'Azure Monitor',
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
        description: 'Less than 5% of memory is free',
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
  recovery: {
    data: { essentials: { monitorCondition: 'Resolved', resolvedDateTime: '2026-02-03T10:30:00.0000000Z' } },
  },
  mapping: {
    fields: {
      title: {
        template:
          '{{webhook.data.essentials.alertRule|webhook.data.context.name|webhook.context.name|webhook.data.AlertRuleName|webhook.data.context.activityLog.operationName|webhook.data.essentials.description}}',
      },
      severity: {
        template:
          '{{webhook.data.essentials.severity|webhook.data.context.severity|webhook.data.Severity|webhook.data.context.activityLog.level}}',
        values: { ...SEVERITIES, ...SEV },
        default: 'warning',
      },
      description: {
        template: [
          described('webhook.data.essentials', 'alertRule', 'webhook.data.essentials.monitorCondition'),
          described('webhook.data.context', 'name', 'webhook.data.status'),
          described('webhook.context', 'name', 'webhook.status'),
          '{{#webhook.data.AlertRuleName}}{{webhook.data.Description|webhook.data.AlertRuleName}}{{/webhook.data.AlertRuleName}}',
          '{{#webhook.data.context.activityLog}}{{operationName}}: {{status}}{{/webhook.data.context.activityLog}}',
        ].join(''),
      },
      source: { template: 'Azure Monitor' },
      service: {
        template:
          '{{webhook.data.essentials.configurationItems[0]|webhook.data.context.resourceName|webhook.context.resourceName|webhook.data.context.activityLog.resourceGroupName}}',
      },
      environment: {
        template:
          '{{webhook.data.customProperties.environment|webhook.data.properties.environment|webhook.properties.environment}}',
      },
      team: {
        template:
          '{{webhook.data.customProperties.team|webhook.data.properties.team|webhook.properties.team}}',
      },
      status: { template: '{{webhook.data.essentials.monitorCondition|webhook.data.status|webhook.status}}' },
      // The common schema has an id for each alert that fires, and its resolution repeats it. Older metric alerts have
      // the rule and the resource. Alerts of the activity log do not end.
      dedupKey: {
        template:
          '{{#webhook.data.essentials}}{{alertId}}{{/webhook.data.essentials}}{{#webhook.data.context.id}}{{.}}/{{webhook.data.context.resourceId}}{{/webhook.data.context.id}}{{#webhook.context.id}}{{.}}/{{webhook.context.resourceId}}{{/webhook.context.id}}',
      },
    },
    custom: {
      condition: {
        template: '{{webhook.data.essentials.monitorCondition|webhook.data.status|webhook.status}}',
      },
      metric: {
        template:
          '{{webhook.data.alertContext.condition.allOf[0].metricName|webhook.data.context.condition.allOf[0].metricName|webhook.context.condition.metricName}}',
      },
      value: {
        template:
          '{{webhook.data.alertContext.condition.allOf[0].metricValue|webhook.data.context.condition.allOf[0].metricValue|webhook.context.condition.metricValue}}',
      },
    },
  },
  expected: [
    {
      title: 'vm-memory',
      severity: 'error',
      description: 'Less than 5% of memory is free',
      source: 'Azure Monitor',
      service: 'vm-8',
      environment: 'production',
      team: 'compute',
      status: 'firing',
      dedupKey: '/subscriptions/0000/providers/Microsoft.AlertsManagement/alerts/1111',
    },
  ],
} satisfies CatalogueSource;
