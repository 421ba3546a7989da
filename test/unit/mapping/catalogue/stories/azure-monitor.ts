import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const essentials = (more: Record<string, JsonValue>) => ({
  severity: 'Sev2',
  monitorCondition: 'Fired',
  originAlertId: 'origin-1',
  firedDateTime: '2026-03-01T08:00:00.1234567Z',
  description: '',
  essentialsVersion: '1.0',
  alertContextVersion: '1.0',
  ...more,
});

const common = (fields: Record<string, JsonValue>, alertContext: JsonValue): JsonValue => ({
  schemaId: 'azureMonitorCommonAlertSchema',
  data: { essentials: essentials(fields), alertContext },
});

/** A stateful log alert, split by computer. */
const heartbeat = (
  id: string,
  computer: string,
  monitorCondition: string,
  firedDateTime = '2026-03-01T08:00:00Z',
) =>
  common(
    {
      alertId: `/subscriptions/0f/providers/Microsoft.AlertsManagement/alerts/${id}`,
      alertRule: 'No heartbeat',
      signalType: 'Log',
      monitoringService: 'Log Alerts V2',
      configurationItems: [computer],
      monitorCondition,
      firedDateTime,
    },
    {
      properties: { team: 'hosting', environment: 'production' },
      conditionType: 'LogQueryCriteria',
      condition: {
        windowSize: 'PT10M',
        allOf: [
          {
            searchQuery: 'Heartbeat',
            metricMeasureColumn: null,
            operator: 'LessThan',
            threshold: '1',
            timeAggregation: 'Count',
            dimensions: [{ name: 'Computer', value: computer }],
            metricValue: 0,
          },
        ],
      },
    },
  );

const incident = (alert: string, title: string, stage: string, time: string) =>
  common(
    {
      alertId: `/subscriptions/0f/providers/Microsoft.AlertsManagement/alerts/${alert}`,
      alertRule: 'service-health',
      severity: 'Sev4',
      signalType: 'Activity Log',
      monitoringService: 'ServiceHealth',
      alertTargetIDs: ['/subscriptions/0f'],
    },
    {
      eventTimestamp: `2026-03-01T${time}:00.000+00:00`,
      operationName: 'Microsoft.ServiceHealth/incident/action',
      status: stage === 'Active' ? 'Active' : 'Resolved',
      properties: {
        title,
        service: 'Virtual Network',
        region: 'North Europe',
        communication: '&lt;p&gt;&lt;strong&gt;Summary:&lt;/strong&gt; Some connections fail.&lt;/p&gt;',
        incidentType: 'Incident',
        trackingId: 'AB1C-2D0',
        stage,
      },
    },
  );

const machine = (name: string, currentHealthStatus: string, time: string): JsonValue => ({
  schemaId: 'Microsoft.Insights/activityLogs',
  data: {
    status: 'Activated',
    context: {
      activityLog: {
        eventSource: 'ResourceHealth',
        eventTimestamp: `2026-03-01T${time}:00.000+00:00`,
        level: 'Critical',
        operationName: 'Microsoft.Resourcehealth/healthevent/Activated/action',
        properties: {
          title: 'The machine stopped unexpectedly',
          details: 'Its host failed',
          currentHealthStatus,
          type: 'Downtime',
          cause: 'PlatformInitiated',
        },
        resourceId: `/subscriptions/0f/resourceGroups/shop/providers/Microsoft.Compute/virtualMachines/${name}`,
        resourceGroupName: 'shop',
        status: currentHealthStatus === 'Available' ? 'Resolved' : 'Active',
      },
    },
    properties: {},
  },
});

const metric = (status: string, timestamp: string): JsonValue => ({
  schemaId: 'AzureMonitorMetricAlert',
  data: {
    version: '2.0',
    status,
    context: {
      timestamp,
      id: '/subscriptions/0f/resourceGroups/shop/providers/microsoft.insights/metricAlerts/full-disk',
      name: 'full-disk',
      description: '',
      severity: '1',
      condition: {
        allOf: [{ metricName: 'Used capacity', operator: 'GreaterThan', threshold: '95', metricValue: 97 }],
      },
      resourceName: 'files-1',
      resourceId: '/subscriptions/0f/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/files-1',
    },
    properties: { team: 'storage' },
  },
});

export default [
  {
    what: 'two computers of a log alert: one recovers, is reported late and fires again',
    shape: 'https://learn.microsoft.com/azure/azure-monitor/alerts/alerts-payload-samples',
    steps: [
      ['fired', heartbeat('a1', 'web-1', 'Fired')],
      ['another computer', heartbeat('a2', 'web-2', 'Fired')],
      ['resolved', heartbeat('a1', 'web-1', 'Resolved')],
      ['fired, late', heartbeat('a1', 'web-1', 'Fired')],
      ['fired again', heartbeat('a3', 'web-1', 'Fired', '2026-03-01T12:00:00Z')],
    ],
    alerts: [
      {
        title: 'No heartbeat',
        severity: 'warning',
        description: 'Count is 0 (LessThan 1)',
        source: 'Azure Monitor',
        service: 'web-1',
        environment: 'production',
        team: 'hosting',
        status: 'resolved',
        eventCount: 2,
      },
      {
        title: 'No heartbeat',
        severity: 'warning',
        description: 'Count is 0 (LessThan 1)',
        source: 'Azure Monitor',
        service: 'web-2',
        environment: 'production',
        team: 'hosting',
        status: 'firing',
        eventCount: 1,
      },
      {
        title: 'No heartbeat',
        severity: 'warning',
        description: 'Count is 0 (LessThan 1)',
        source: 'Azure Monitor',
        service: 'web-1',
        environment: 'production',
        team: 'hosting',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'an incident of Azure itself is named after what happens, and ends',
    shape: 'MicrosoftDocs/azure-docs articles/azure-monitor/alerts/alerts-payload-samples.md, Service Health',
    steps: [
      ['investigated', incident('b1', 'Virtual Network - North Europe - Investigating', 'Active', '08:00')],
      ['mitigated', incident('b2', 'Virtual Network - North Europe - Mitigated', 'Resolved', '09:00')],
      [
        'investigated, late',
        incident('b1', 'Virtual Network - North Europe - Investigating', 'Active', '08:00'),
      ],
      ['explained', incident('b3', 'RCA - Virtual Network - North Europe', 'RCA', '23:00')],
    ],
    alerts: [
      {
        title: 'Virtual Network - North Europe',
        severity: 'info',
        description: 'Summary: Some connections fail.',
        source: 'Azure Monitor',
        service: 'Virtual Network',
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
  {
    what: 'two machines are unavailable, and one of them is available again',
    shape: 'MicrosoftDocs/azure-docs articles/azure-monitor/platform/activity-log-alerts-webhook.md',
    steps: [
      ['unavailable', machine('vm-1', 'Unavailable', '08:00')],
      ['another machine', machine('vm-2', 'Unavailable', '08:01')],
      ['available', machine('vm-1', 'Available', '08:20')],
    ],
    alerts: [
      {
        title: 'The machine stopped unexpectedly',
        severity: 'critical',
        description: 'Its host failed',
        source: 'Azure Monitor',
        service: 'vm-1',
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
      {
        title: 'The machine stopped unexpectedly',
        severity: 'critical',
        description: 'Its host failed',
        source: 'Azure Monitor',
        service: 'vm-2',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a metric alert before the common schema',
    shape: 'MicrosoftDocs/azure-docs issue 7717',
    steps: [
      ['activated', metric('Activated', '2026-03-01T08:00:00.1714014Z')],
      ['deactivated', metric('Deactivated', '2026-03-01T08:10:00.1714014Z')],
      ['activated, late', metric('Activated', '2026-03-01T08:00:00.1714014Z')],
    ],
    alerts: [
      {
        title: 'full-disk',
        severity: 'error',
        description: 'Used capacity is 97 (GreaterThan 95)',
        source: 'Azure Monitor',
        service: 'files-1',
        environment: null,
        team: 'storage',
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
  {
    what: 'the button that tests an action group',
    shape: 'zulip/zulip zerver/webhooks/azuremonitor/fixtures',
    steps: [
      [
        'test',
        common(
          {
            alertId:
              '/subscriptions/11111111-1111-1111-1111-111111111111/providers/Microsoft.AlertsManagement/alerts/12345678-1234-1234-1234-1234567890ab',
            alertRule: 'test-metricAlertRule',
            signalType: 'Metric',
            configurationItems: ['test-storageAccount'],
            description: 'Alert rule description',
          },
          {},
        ),
      ],
    ],
    alerts: [
      {
        title: 'test-metricAlertRule',
        severity: 'warning',
        description: 'Alert rule description',
        source: 'Azure Monitor',
        service: 'test-storageAccount',
        environment: null,
        status: null,
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
