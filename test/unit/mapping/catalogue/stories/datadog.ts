import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const latency = (transition: string, type: string): JsonValue => ({
  alert_title: `[${transition}] Search is slow`,
  text_only_msg: 'The 95th percentile is above 3 s',
  alert_id: '4321',
  alert_cycle_key: 'cycle-4321',
  alert_transition: transition,
  alert_type: type,
  alert_priority: 'P2',
  alert_scope: 'env:prod,service:search',
  hostname: 'search-1',
  tags: 'env:prod,service:search,team:find',
});

const disk = (host: string, state: string, type: string, date: number): JsonValue => ({
  id: '881',
  title: `[${state} on {host:${host}}] The disk is full`,
  text: '98% of /srv is in use',
  date,
  alert_id: '99',
  alert_type: type,
  event_type: 'metric_alert_monitor',
  hostname: host,
  priority: 'P1',
  tags: 'service:files,env:production,team:storage',
  org: { id: '7', name: 'Example' },
});

export default [
  {
    what: 'an alert warns, triggers, repeats and recovers',
    shape: 'IncidentRelay docs/datadog.md',
    steps: [
      ['warned', latency('Warn', 'warning')],
      ['triggered', latency('Triggered', 'error')],
      ['repeated', latency('Renotify', 'error')],
      ['recovered', latency('Recovered', 'success')],
    ],
    alerts: [
      {
        title: 'Search is slow',
        severity: 'error',
        description: 'The 95th percentile is above 3 s',
        source: 'Datadog',
        service: 'search',
        environment: 'prod',
        team: 'find',
        status: 'resolved',
        eventCount: 4,
      },
    ],
  },
  {
    what: 'two hosts of a monitor without a transition: one recovers and is reported late',
    shape: 'https://docs.datadoghq.com/integrations/webhooks/, and DataDog/documentation issue 27867',
    steps: [
      ['triggered', disk('fs-1', 'Triggered', 'error', 1772352000)],
      ['another host', disk('fs-2', 'Triggered', 'error', 1772352060)],
      ['recovered', disk('fs-1', 'Recovered', 'success', 1772352600)],
      ['triggered, late', disk('fs-1', 'Triggered', 'error', 1772352000)],
    ],
    alerts: [
      {
        title: 'The disk is full',
        severity: 'critical',
        description: '98% of /srv is in use',
        source: 'Datadog',
        service: 'files',
        environment: 'production',
        team: 'storage',
        status: 'resolved',
        eventCount: 2,
      },
      {
        title: 'The disk is full',
        severity: 'critical',
        description: '98% of /srv is in use',
        source: 'Datadog',
        service: 'files',
        environment: 'production',
        team: 'storage',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'the button that tests the notifications of a monitor',
    shape: 'https://docs.datadoghq.com/monitors/notify/#test-notifications',
    steps: [
      [
        'test',
        {
          title: '[TEST] [Triggered] The disk is full',
          body: '98% of /srv is in use',
          alert_id: '99',
          alert_type: 'error',
        },
      ],
    ],
    alerts: [
      {
        title: 'The disk is full',
        severity: 'error',
        description: '98% of /srv is in use',
        source: 'Datadog',
        service: null,
        environment: null,
        status: null,
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
