import { keyOf } from '../keys.js';
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

/** A property of a health event, which the activity log reports in the common schema or in its own. */
const health = (name: string): string =>
  `first(webhook.data.alertContext.properties.${name}, webhook.data.context.activityLog.properties.${name})`;

/** Service Health reports an incident, a maintenance or an advisory by its tracking id. */
const OF_SERVICE = `first(${health('trackingId')}, "") != ""`;
const OF_RESOURCE = `first(${health('currentHealthStatus')}, "") != ""`;
const RESOURCE =
  'first(webhook.data.context.activityLog.resourceId, webhook.data.alertContext.resourceId, webhook.data.essentials.alertTargetIDs[0])';

/** The title of an incident without its progress: `Log Analytics - West Europe` of `Log Analytics - West Europe - Mitigated`. */
const INCIDENT = `extract(${health('title')}, r"^(?:(?:Active|Resolved|Mitigated|Update|RCA|PIR|Preliminary PIR|Final PIR)\\s*[:-]\\s+)?(.+?)(?:\\s+-\\s+(?:Active|Investigating|Identified|Applying mitigation|Mitigating|Mitigated|Monitoring|Recovering|Resolved|Planned|In progress|Completed?|Update|RCA|PIR|ACTIVE|INVESTIGATING|Applying Mitigation|MITIGATED|RESOLVED))?$")`;

/** The text without the tags of HTML, which it has as such or as entities. */
const withoutTags = (text: string): string =>
  `${text}.replace("&lt;", "<").replace("&gt;", ">").split("<").map(part, extract(part, r"^(?:/?[a-zA-Z][^>]*>)?((?s:.*))$")).join("").trim()`;

/** What was measured, of a rule without a description: `Percentage CPU is 97 (GreaterThan 90)`. */
const MEASURED =
  '[first(webhook.data.alertContext.condition.allOf[0], webhook.data.context.condition.allOf[0], webhook.context.condition)].map(c, first(c.metricName, c.metricMeasureColumn, c.timeAggregation) + " is " + string(c.metricValue) + first(" (" + c.operator + " " + string(c.threshold) + ")", ""))[0]';

/** An operation in the activity log, and its result. */
const OPERATION =
  '[first(webhook.data.context.activityLog, webhook.data.alertContext)].map(o, o.operationName + ": " + o.status)[0]';

/** The payloads of the button "Test action group" have invented resources of this subscription. */
const IS_TEST =
  'first(webhook.data.essentials.alertId, webhook.data.context.id, "").startsWith("/subscriptions/11111111-1111-1111-1111-111111111111/")';

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
  otherSamples: [
    {
      schemaId: 'AzureMonitorMetricAlert',
      data: {
        version: '2.0',
        status: 'Activated',
        context: {
          timestamp: '2026-02-03T10:20:00.0000000Z',
          id: '/subscriptions/0000/resourceGroups/shop/providers/microsoft.insights/metricAlerts/vm-memory',
          name: 'vm-memory',
          description: 'Less than 5% of memory is free',
          conditionType: 'SingleResourceMultipleMetricCriteria',
          condition: {
            windowSize: 'PT5M',
            allOf: [
              {
                metricName: 'Available Memory Percentage',
                dimensions: [{ name: 'ResourceId', value: '3333' }],
                operator: 'LessThan',
                threshold: '5',
                metricValue: 3.1,
              },
            ],
          },
          subscriptionId: '0000',
          resourceGroupName: 'shop',
          resourceName: 'vm-8',
          resourceType: 'Microsoft.Compute/virtualMachines',
          resourceId:
            '/subscriptions/0000/resourceGroups/shop/providers/Microsoft.Compute/virtualMachines/vm-8',
        },
        properties: { team: 'compute' },
      },
    },
  ],
  recovery: {
    data: { essentials: { monitorCondition: 'Resolved', resolvedDateTime: '2026-02-03T10:30:00.0000000Z' } },
  },
  mapping: {
    fields: {
      title: {
        expression: `first(${OF_SERVICE} ? ${INCIDENT} : "", ${OF_RESOURCE} ? ${health('title')} : "", webhook.data.essentials.alertRule, webhook.data.context.name, webhook.context.name, webhook.data.AlertRuleName, webhook.data.context.activityLog.operationName, webhook.data.essentials.description)`,
      },
      severity: {
        template:
          '{{webhook.data.essentials.severity|webhook.data.context.severity|webhook.data.Severity|webhook.data.context.activityLog.level}}',
        values: { ...SEVERITIES, ...SEV },
        default: 'warning',
      },
      description: {
        expression: `first(${OF_SERVICE} ? ${withoutTags(health('communication'))} : "", ${OF_RESOURCE} ? ${health('details')} : "", webhook.data.essentials.description, webhook.data.context.description, webhook.context.description, ${MEASURED}, webhook.data.Description, ${OPERATION}, webhook.data.essentials.alertRule, webhook.data.context.name, webhook.context.name, webhook.data.AlertRuleName)`,
      },
      source: { template: 'Azure Monitor' },
      service: {
        expression: `first(${OF_SERVICE} ? ${health('service')} : "", webhook.data.essentials.configurationItems[0], webhook.data.context.resourceName, webhook.context.resourceName, extract(${RESOURCE}, "providers/.+/([^/]+)$"), webhook.data.context.activityLog.resourceGroupName)`,
      },
      // Log alerts have the custom properties in their context.
      environment: {
        template:
          '{{webhook.data.customProperties.environment|webhook.data.alertContext.properties.environment|webhook.data.properties.environment|webhook.properties.environment}}',
      },
      team: {
        template:
          '{{webhook.data.customProperties.team|webhook.data.alertContext.properties.team|webhook.data.properties.team|webhook.properties.team}}',
      },
      // The activity log only fires. The state of an incident or of a resource is in its properties.
      status: {
        expression: `${IS_TEST} ? "test" : first(${OF_SERVICE} ? first(${health('stage')}, webhook.data.alertContext.status, webhook.data.context.activityLog.status) : "", ${OF_RESOURCE} ? ${health('currentHealthStatus')} : "", webhook.data.essentials.monitorCondition, webhook.data.status, webhook.status)`,
        values: {
          Planned: 'firing',
          InProgress: 'firing',
          Rescheduled: 'firing',
          Complete: 'resolved',
          Canceled: 'resolved',
          RCA: 'update',
          Available: 'resolved',
          Unavailable: 'firing',
        },
      },
      // An alert that fires again has a new time. Events of the activity log and older alerts have the time of the event.
      occurrence: {
        expression: `first(${OF_SERVICE} || ${OF_RESOURCE} ? first(webhook.data.alertContext.eventTimestamp, webhook.data.context.activityLog.eventTimestamp) : "", webhook.data.essentials.firedDateTime, webhook.data.context.timestamp, webhook.context.timestamp)`,
      },
      // The common schema has an id for each alert that fires, and its resolution repeats it. Older metric alerts have
      // the rule and the resource. Other alerts of the activity log do not end.
      dedupKey: {
        expression: `first("health/" + ${health('trackingId')}, ${OF_RESOURCE} ? "health/" + ${RESOURCE} : "", webhook.data.essentials.signalType == "Activity Log" ? "" : webhook.data.essentials.alertId, ${keyOf('webhook.data.context.id', 'webhook.data.context.resourceId')}, ${keyOf('webhook.context.id', 'webhook.context.resourceId')})`,
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
      occurrence: '2026-02-03T10:20:00.0000000Z',
    },
  ],
} satisfies CatalogueSource;
