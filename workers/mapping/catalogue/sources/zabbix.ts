import type { CatalogueSource } from '../source.js';

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
    title: 'Problem: LDAP does not answer',
    description: 'Problem started at 10:20:00 on 2026.02.03\r\nHost: ldap-1\r\nSeverity: Disaster',
  },
  mapping: {
    fields: {
      title: { template: '{{webhook.title}}' },
      // EVENT.NSEVERITY: 0 not classified to 5 disaster.
      severity: {
        template: '{{webhook.event_nseverity}}',
        values: { 0: 'info', 1: 'info', 2: 'warning', 3: 'warning', 4: 'error', 5: 'critical' },
        default: 'warning',
      },
      description: { template: '{{webhook.description|webhook.title}}' },
      source: { template: 'Zabbix' },
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
      title: 'Problem: LDAP does not answer',
      severity: 'critical',
      description: 'Problem started at 10:20:00 on 2026.02.03\r\nHost: ldap-1\r\nSeverity: Disaster',
      source: 'Zabbix',
    },
  ],
} satisfies CatalogueSource;
