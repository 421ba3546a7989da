import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

/** The fields of the webhook of a media type, of one event. */
const webhook = (event_id: string, title: string, more: Record<string, JsonValue>): JsonValue => ({
  event_id,
  event_source: '0',
  event_value: '1',
  event_nseverity: '4',
  event_tags: 'service:mail, environment:production',
  trigger_id: '810',
  zabbix_url: 'https://zabbix.example.com',
  title,
  description: 'The queue of mail-1 has 900 messages',
  ...more,
});

/** The fields of a script with the names of macros. */
const script = (event_id: string, host: string, event_status: string): JsonValue => ({
  event_id,
  trigger_id: '812',
  event_name: `Swap is full on ${host}`,
  host,
  event_severity: 'Average',
  event_status,
  opdata: 'Free: 2%',
  tags: [
    { tag: 'team', value: 'platform' },
    { tag: 'environment', value: 'staging' },
  ],
});

const swap = { severity: 'warning', description: 'Free: 2%', source: 'Zabbix', environment: 'staging' };

export default [
  {
    what: 'a problem gets a note, becomes worse and ends, and the note of another person is late',
    shape: 'https://www.zabbix.com/documentation/current/en/manual/config/notifications/media/webhook',
    steps: [
      ['fired', webhook('501', 'Problem: Mail queue grows', {})],
      [
        'note',
        webhook('501', 'Updated problem in 5m: Mail queue grows', {
          event_update_status: '1',
          event_nseverity: '4',
          description: 'Kim acknowledged problem at 10:25.',
        }),
      ],
      [
        'worse',
        webhook('501', 'Updated problem in 9m: Mail queue grows', {
          event_update_status: '1',
          event_nseverity: '5',
          description: 'Kim changed severity from High to Disaster problem at 10:29.',
        }),
      ],
      ['another problem', webhook('502', 'Problem: Mail queue grows', { event_tags: 'service:news' })],
      [
        'resolved',
        webhook('501', 'Resolved in 20m: Mail queue grows', {
          event_value: '0',
          event_nseverity: '5',
          description: 'Problem has been resolved at 10:40',
        }),
      ],
      [
        'late note',
        webhook('501', 'Updated problem in 8m: Mail queue grows', {
          event_update_status: '1',
          description: 'Alex commented problem at 10:28.',
        }),
      ],
      ['a host was discovered', webhook('503', 'Discovery: host is UP', { event_source: '1' })],
    ],
    alerts: [
      {
        title: 'Problem: Mail queue grows',
        severity: 'critical',
        description: 'Kim changed severity from High to Disaster problem at 10:29.',
        source: 'Zabbix',
        service: 'mail',
        environment: 'production',
        status: 'resolved',
        eventCount: 4,
        resolution: 'Problem has been resolved at 10:40',
      },
      {
        title: 'Problem: Mail queue grows',
        severity: 'error',
        description: 'The queue of mail-1 has 900 messages',
        source: 'Zabbix',
        service: 'news',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a script sends names of states and severities',
    shape: 'roxy-wi/IncidentRelay docs/integrations/zabbix.md',
    steps: [
      ['fired', script('601', 'db-1', 'PROBLEM')],
      ['another problem', script('602', 'db-2', 'PROBLEM')],
      ['repeated', script('601', 'db-1', 'PROBLEM')],
      ['resolved', script('601', 'db-1', 'RESOLVED')],
    ],
    alerts: [
      {
        title: 'Swap is full on db-1',
        service: 'db-1',
        status: 'resolved',
        eventCount: 3,
        ...swap,
      },
      { title: 'Swap is full on db-2', service: 'db-2', status: 'firing', eventCount: 1, ...swap },
    ],
  },
  {
    what: 'a message for a chat, whose link has the id of the event',
    shape: 'zulip/zulip zerver/webhooks/zabbix/fixtures/zabbix_alert.json',
    steps: ['PROBLEM', 'OK'].map(
      (status) =>
        [
          status,
          {
            hostname: 'www-1.example.com',
            severity: 'High',
            status,
            item: 'Agent ping is Up (1)',
            trigger: 'The agent of www-1 does not respond',
            link: 'https://zabbix.example.com/tr_events.php?triggerid=77&eventid=9001',
          },
        ] as const,
    ),
    alerts: [
      {
        title: 'The agent of www-1 does not respond',
        severity: 'error',
        description: 'Agent ping is Up (1)',
        source: 'Zabbix',
        service: 'www-1.example.com',
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
  {
    what: 'a script that names the trigger, which comes back, and the test of a media type',
    shape: 'grafana/oncall engine/config_integrations/zabbix.py',
    steps: [
      ...['alerting', 'ok', 'alerting'].map((state): readonly [string, JsonValue] => [
        state,
        { alert_uid: '77a1', title: 'Backup is late', state, message: 'Last backup: 30 h ago' },
      ]),
      [
        'test',
        webhook('{EVENT.ID}', '{ALERT.SUBJECT}', { event_value: '{EVENT.VALUE}', event_nseverity: '1' }),
      ],
    ],
    alerts: [
      {
        title: 'Backup is late',
        severity: 'warning',
        description: 'Last backup: 30 h ago',
        source: 'Zabbix',
        service: null,
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
      {
        title: 'Backup is late',
        severity: 'warning',
        description: 'Last backup: 30 h ago',
        source: 'Zabbix',
        service: null,
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
      {
        title: 'The queue of mail-1 has 900 messages',
        severity: 'warning',
        description: 'The queue of mail-1 has 900 messages',
        source: 'Zabbix',
        service: 'mail',
        environment: 'production',
        status: null,
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
