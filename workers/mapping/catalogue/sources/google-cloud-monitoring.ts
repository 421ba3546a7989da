import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'google-cloud-monitoring',
  title: 'Google Cloud Monitoring',
  documentation: 'https://cloud.google.com/monitoring/support/notification-options#webhooks',
  signature: {
    scheme: 'basic',
    parameters: { username: 'muster' },
    setup: 'Alerting → Edit notification channels → Webhooks → Use HTTP Basic Auth',
  },
  sample: {
    version: '1.2',
    incident: {
      incident_id: '0.example',
      scoping_project_id: 'example-shop',
      url: 'https://console.cloud.google.com/monitoring/alerting/incidents/0.example',
      severity: 'Critical',
      started_at: 1770113640,
      ended_at: null,
      state: 'open',
      summary: 'CPU utilization for example-shop api-1 is above the threshold of 0.8 with a value of 0.93.',
      condition_name: 'CPU of the API',
      policy_name: 'API',
      policy_user_labels: { team: 'api', environment: 'production' },
      resource: {
        type: 'gce_instance',
        labels: { instance_id: '11', project_id: 'example-shop', zone: 'europe-west3-a' },
      },
      resource_name: 'example-shop api-1',
      resource_type_display_name: 'VM Instance',
      metric: {
        type: 'compute.googleapis.com/instance/cpu/utilization',
        displayName: 'CPU utilization',
        labels: {},
      },
      observed_value: '0.93',
      threshold_value: '0.8',
      documentation: { content: 'Check the load balancer first.', mime_type: 'text/markdown' },
    },
  },
  otherSamples: [
    // What tests a channel.
    {
      version: 'test',
      incident: {
        incident_id: '1',
        state: 'OPEN',
        started_at: 0,
        ended_at: 0,
        summary: 'A test',
        policy_name: 'projects/1/alertPolicies/1',
        condition_name: 'Example',
        resource_name: 'projects/1/example_resources/1',
        documentation: 'A test',
      },
    },
  ],
  recovery: { incident: { state: 'closed', ended_at: 1770114240, observed_value: '0.41' } },
  mapping: {
    // The id of an incident is never used again.
    final: true,
    fields: {
      title: {
        expression:
          'first(webhook.incident.policy_name + ": " + first(webhook.incident.condition_name, webhook.incident.condition.displayName), webhook.incident.policy_name, webhook.incident.condition_name, webhook.incident.condition.displayName, webhook.incident.summary)',
      },
      severity: {
        template:
          '{{webhook.incident.severity|webhook.incident.policy_user_labels.severity|webhook.incident.metadata.user_labels.severity}}',
        values: { ...SEVERITIES, 'no severity': 'error' },
        default: 'error',
      },
      description: { template: '{{webhook.incident.summary|webhook.incident.condition_name}}' },
      source: { template: 'Google Cloud Monitoring' },
      service: { template: '{{webhook.incident.resource_name|webhook.incident.resource.type}}' },
      environment: {
        template:
          '{{webhook.incident.policy_user_labels.environment|webhook.incident.policy_user_labels.env|webhook.incident.metadata.user_labels.environment|webhook.incident.scoping_project_id}}',
      },
      team: {
        template: '{{webhook.incident.policy_user_labels.team|webhook.incident.metadata.user_labels.team}}',
      },
      // The test of a notification channel has a version of its own.
      status: {
        expression: 'first(webhook.version, "") == "test" ? "test" : first(webhook.incident.state, "")',
        values: { acknowledged: 'update' },
      },
      // An incident keeps its id until it is closed.
      dedupKey: { template: '{{webhook.incident.incident_id}}' },
    },
    custom: {
      state: { template: '{{webhook.incident.state}}' },
      runbook: { template: '{{webhook.incident.documentation.content}}' },
      link: { template: '{{webhook.incident.url}}' },
    },
  },
  expected: [
    {
      title: 'API: CPU of the API',
      severity: 'critical',
      description:
        'CPU utilization for example-shop api-1 is above the threshold of 0.8 with a value of 0.93.',
      source: 'Google Cloud Monitoring',
      service: 'example-shop api-1',
      environment: 'production',
      team: 'api',
      status: 'firing',
      dedupKey: '0.example',
    },
  ],
} satisfies CatalogueSource;
