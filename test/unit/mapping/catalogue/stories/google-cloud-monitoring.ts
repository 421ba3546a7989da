import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const uptime = (incident_id: string, host: string, state: string): JsonValue => ({
  version: '1.2',
  incident: {
    incident_id,
    policy_name: 'Website',
    condition_name: `Uptime of ${host}`,
    resource: { type: 'uptime_url', labels: { host } },
    resource_id: '',
    resource_name: `Uptime Check URL labels {host=${host}}`,
    started_at: 1772352000,
    ended_at: state === 'closed' ? 1772353800 : null,
    state,
    summary: `The uptime check of ${host} ${state === 'closed' ? 'passes again' : 'fails'}.`,
    url: `https://console.cloud.google.com/monitoring/incidents/${incident_id}`,
  },
});

const usage = (state: string, severity: string): JsonValue => ({
  version: '1.2',
  incident: {
    incident_id: '0.cpu',
    scoping_project_id: 'example-shop',
    scoping_project_number: 77,
    severity,
    policy_name: 'Busy servers',
    policy_user_labels: { env: 'production', team: 'web' },
    condition: { name: 'projects/example-shop/alertPolicies/1/conditions/2', displayName: 'CPU of a server' },
    metadata: { system_labels: {}, user_labels: {} },
    metric: { type: 'compute.googleapis.com/instance/cpu/utilization', displayName: 'CPU', labels: {} },
    observed_value: '0.79',
    threshold_value: '0.5',
    resource: { type: 'gce_instance', labels: { project_id: 'example-shop' } },
    resource_name: 'example-shop web-2',
    state,
    summary: 'The CPU of web-2 is above 0.5.',
    documentation: { content: 'Add a server.', mime_type: 'text/markdown' },
  },
});

const alert = { source: 'Google Cloud Monitoring', environment: null };

export default [
  {
    what: 'an uptime check fails, passes, its incident is repeated late, and another host fails',
    shape: 'Agilicus/stackdriver-google-chat README.md',
    steps: [
      ['fired', uptime('0.up1', 'www.example.com', 'open')],
      ['another problem', uptime('0.up2', 'api.example.com', 'open')],
      ['resolved', uptime('0.up1', 'www.example.com', 'closed')],
      ['repeated late', uptime('0.up1', 'www.example.com', 'open')],
    ],
    alerts: [
      {
        ...alert,
        title: 'Website: Uptime of www.example.com',
        severity: 'error',
        description: 'The uptime check of www.example.com fails.',
        service: 'Uptime Check URL labels {host=www.example.com}',
        status: 'resolved',
        eventCount: 2,
        resolution: 'The uptime check of www.example.com passes again.',
      },
      {
        ...alert,
        title: 'Website: Uptime of api.example.com',
        severity: 'error',
        description: 'The uptime check of api.example.com fails.',
        service: 'Uptime Check URL labels {host=api.example.com}',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a condition without a name of its own fires, and its channel is tested',
    shape: 'cloudforet-io/plugin-google-monitoring-mon-webhook docs/en/SAMPLE_DATA.md',
    steps: [
      ['fired', usage('open', 'Warning')],
      ['acknowledged', usage('acknowledged', 'Warning')],
      ['resolved', usage('closed', 'Warning')],
      [
        'tested',
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
    ],
    alerts: [
      {
        ...alert,
        title: 'Busy servers: CPU of a server',
        severity: 'warning',
        description: 'The CPU of web-2 is above 0.5.',
        service: 'example-shop web-2',
        environment: 'production',
        team: 'web',
        status: 'resolved',
        eventCount: 3,
      },
      {
        ...alert,
        title: 'projects/1/alertPolicies/1: Example',
        severity: 'error',
        description: 'A test',
        service: 'projects/1/example_resources/1',
        status: null,
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
