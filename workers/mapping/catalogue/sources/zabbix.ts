import { inState, SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

/** Values of EVENT.NSEVERITY, from "not classified" to "disaster", and the names in EVENT.SEVERITY. */
const LEVELS = {
  ...SEVERITIES,
  'not classified': 'info',
  0: 'info',
  1: 'info',
  2: 'warning',
  3: 'warning',
  4: 'error',
  5: 'critical',
};
const RECOVERED = Object.fromEntries(Object.keys(LEVELS).map((level) => [level, 'info']));

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
  otherSamples: [
    {
      event_id: '5120',
      trigger_id: '18002',
      event_name: 'LDAP does not respond',
      host: 'ldap-1',
      event_severity: 'Disaster',
      event_status: 'PROBLEM',
      opdata: '0 responses',
      event_tag: 'service: ldap',
      tags: [{ tag: 'service', value: 'ldap' }],
    },
  ],
  recovery: {
    event_value: '0',
    title: 'Resolved: LDAP does not respond',
    description: 'Resolved at 10:30:00 on 2026.02.03',
  },
  mapping: {
    // The id of an event is never used again.
    final: true,
    // A host that was discovered and an agent that registered itself make no alert.
    filter: '!(string(first(webhook.event_source, "0")) in ["1", "2"])',
    fields: {
      // The subject begins with what has happened: "Resolved in 5m: LDAP does not respond".
      title: {
        expression:
          'first("Problem: " + extract(webhook.title, "^(?:Resolved|Updated problem)[^:]*: (.+)"), webhook.title, webhook.event_name, webhook.trigger_name, webhook.trigger, webhook.description, webhook.message)',
      },
      // EVENT.VALUE is 1 for a problem and 0 for its recovery. Some scripts send no value. The names of severities can be changed.
      severity: {
        template:
          '{{#webhook.event_value}}{{.}}/{{/webhook.event_value}}{{webhook.event_nseverity|webhook.event_severity|webhook.trigger_severity|webhook.severity}}',
        values: { ...LEVELS, ...inState('1', LEVELS), ...inState('0', RECOVERED) },
        default: 'warning',
      },
      description: {
        template:
          '{{webhook.description|webhook.message|webhook.opdata|webhook.item|webhook.event_name|webhook.title}}',
      },
      source: { template: 'Zabbix' },
      service: {
        template:
          '{{webhook.event_tags.service|webhook.tags.service|webhook.labels.service|webhook.host_name|webhook.hostname|webhook.host}}',
      },
      environment: {
        template:
          '{{webhook.event_tags.environment|webhook.event_tags.env|webhook.tags.environment|webhook.tags.env|webhook.labels.environment}}',
      },
      team: { template: '{{webhook.event_tags.team|webhook.tags.team|webhook.team}}' },
      // The test of a media type sends macros as they are. An update is news of a person, and only a new severity changes the alert.
      // The `alert_uid` of older scripts may be that of a trigger, which comes back.
      status: {
        expression:
          'string(first(webhook.event_value, "")).startsWith("{") ? "test" : string(first(webhook.event_update_status, "")) == "1" && string(first(webhook.event_value, "1")) == "1" && !first(webhook.event_update_action, webhook.description, webhook.message, "").contains("changed severity") ? "update" : has(webhook.alert_uid) && first(webhook.state, "") == "alerting" ? "reopened" : first(webhook.event_value, webhook.event_status, webhook.trigger_status, webhook.status, webhook.state)',
        values: { 1: 'firing', 0: 'resolved' },
      },
      // A recovery has the id of the event of its problem in EVENT.ID, and its own in EVENT.RECOVERY.ID.
      dedupKey: {
        expression:
          'first(string(webhook.event_id), string(webhook.alert_uid), extract(webhook.link, "eventid=([0-9]+)"))',
      },
    },
    custom: {
      tags: { template: '{{webhook.event_tags|webhook.event_tag}}' },
      link: {
        expression:
          'first(webhook.zabbix_url + "/tr_events.php?triggerid=" + string(webhook.trigger_id) + "&eventid=" + string(webhook.event_id), webhook.event_link, webhook.link, webhook.link_to_upstream_details)',
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
