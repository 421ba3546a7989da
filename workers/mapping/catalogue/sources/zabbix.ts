import { inState } from '../severities.js';
import type { CatalogueSource } from '../source.js';

/** Values of EVENT.NSEVERITY, from "not classified" to "disaster". */
const NSEVERITY = { 0: 'info', 1: 'info', 2: 'warning', 3: 'warning', 4: 'error', 5: 'critical' };
const RECOVERED = Object.fromEntries(Object.keys(NSEVERITY).map((level) => [level, 'info']));

export default {
  name: 'zabbix',
  title: 'Zabbix',
  documentation: 'https://www.zabbix.com/documentation/current/en/manual/config/notifications/media/webhook',
  sample: {
    event_id: '5120',
    event_source: '0',
    event_value: '1',
    event_nseverity: '5',
    event_tags: 'scope:availability,service:ldap',
    trigger_id: '18002',
    zabbix_url: 'https://zabbix.example.com',
    title: 'Problem: LDAP does not respond',
    description: 'Problem started at 10:20:00 on 2026.02.03\r\nHost: ldap-1\r\nSeverity: Disaster',
  },
  recovery: {
    event_value: '0',
    title: 'Resolved: LDAP does not respond',
    description: 'Resolved at 10:30:00 on 2026.02.03',
  },
  mapping: {
    fields: {
      title: { template: '{{webhook.title|webhook.event_name|webhook.description|webhook.message}}' },
      // EVENT.VALUE is 1 for a problem and 0 for its recovery. Some scripts send no value.
      severity: {
        template: '{{#webhook.event_value}}{{.}}/{{/webhook.event_value}}{{webhook.event_nseverity}}',
        values: { ...NSEVERITY, ...inState('1', NSEVERITY), ...inState('0', RECOVERED) },
        default: 'warning',
      },
      description: { template: '{{webhook.description|webhook.message|webhook.title}}' },
      source: { template: 'Zabbix' },
      service: { template: '{{webhook.event_tags.service|webhook.host_name|webhook.host}}' },
      environment: { template: '{{webhook.event_tags.environment|webhook.event_tags.env}}' },
      team: { template: '{{webhook.event_tags.team}}' },
      status: { template: '{{webhook.event_value}}', values: { 1: 'firing', 0: 'resolved' } },
      // A recovery has the id of the event of its problem in EVENT.ID, and its own in EVENT.RECOVERY.ID.
      dedupKey: { template: '{{webhook.event_id}}' },
    },
    custom: {
      tags: { template: '{{webhook.event_tags}}' },
      link: {
        template:
          '{{webhook.zabbix_url}}/tr_events.php?triggerid={{webhook.trigger_id}}&eventid={{webhook.event_id}}',
      },
    },
  },
  expected: [
    {
      title: 'Problem: LDAP does not respond',
      severity: 'critical',
      description: 'Problem started at 10:20:00 on 2026.02.03\r\nHost: ldap-1\r\nSeverity: Disaster',
      source: 'Zabbix',
      service: 'ldap',
      status: 'firing',
      dedupKey: '5120',
    },
  ],
} satisfies CatalogueSource;
