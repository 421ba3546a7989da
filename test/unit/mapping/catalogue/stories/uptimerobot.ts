import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const camel = (id: string, name: string, type: string, details: string, time?: string): JsonValue => ({
  monitorID: id,
  monitorURL: `https://${name}.example.com`,
  monitorFriendlyName: name,
  alertType: { Down: '1', Up: '2' }[type] ?? '3',
  alertTypeFriendlyName: type,
  alertDetails: details,
  alertFriendlyDuration: '*alertFriendlyDuration*',
  ...(time === undefined ? {} : { alertDateTime: time }),
});

const snake = (name: string, type: string, details: string): JsonValue => ({
  monitor_url: `${name}.example.com`,
  monitor_friendly_name: name,
  alert_type: type === 'Down' ? '1' : '2',
  alert_type_friendly_name: type,
  alert_details: details,
  alert_friendly_duration: '3 minutes',
});

const alert = (title: string, service: string, severity: string, description: string) => ({
  title,
  severity,
  description,
  source: 'UptimeRobot',
  service,
  environment: null,
});

export default [
  {
    what: 'a monitor goes down and up, old news arrives late, and a certificate expires',
    shape: 'zulip/zulip zerver/webhooks/uptimerobot/fixtures/monitor_down.json',
    steps: [
      ['fired', camel('81', 'shop', 'Down', 'HTTP 502 - Bad Gateway', '1772352000')],
      ['another problem', camel('82', 'docs', 'Down', 'Connection Timeout')],
      ['resolved', camel('81', 'shop', 'Up', 'HTTP 200 - OK', '1772352600')],
      ['late', camel('81', 'shop', 'Down', 'HTTP 502 - Bad Gateway', '1772352000')],
      ['certificate', camel('81', 'shop', 'SSL expiry', 'The certificate expires in 7 days')],
      ['started', camel('83', 'new', 'Started', '')],
    ],
    alerts: [
      {
        ...alert('shop is down', 'shop', 'critical', 'HTTP 502 - Bad Gateway'),
        status: 'resolved',
        eventCount: 2,
        resolution: 'HTTP 200 - OK',
      },
      { ...alert('docs is down', 'docs', 'critical', 'Connection Timeout'), status: 'firing', eventCount: 1 },
      {
        ...alert(
          'shop: the certificate expires soon',
          'shop',
          'warning',
          'The certificate expires in 7 days',
        ),
        status: null,
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a payload in snake case without an id',
    shape: 'zulip/zulip zerver/webhooks/uptimerobot/fixtures/uptimerobot_monitor_down.json',
    steps: [
      ['fired', snake('mail', 'Down', 'Host Is Unreachable')],
      ['another problem', snake('news', 'Down', 'Host Is Unreachable')],
      ['resolved', snake('mail', 'Up', 'Host Is Reachable')],
    ],
    alerts: [
      {
        ...alert('mail is down', 'mail', 'critical', 'Host Is Unreachable'),
        status: 'resolved',
        eventCount: 2,
        resolution: 'Host Is Reachable',
      },
      {
        ...alert('news is down', 'news', 'critical', 'Host Is Unreachable'),
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
