import { keyOf } from '../keys.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'fail2ban',
  title: 'Fail2ban',
  documentation: 'https://github.com/fail2ban/fail2ban/blob/master/man/jail.conf.5',
  sample: {
    action: 'ban',
    fq_hostname: 'gate-1.example.com',
    jail: 'sshd',
    ip: '192.0.2.66',
    failures: '5',
    matches: 'sshd[411]: Failed password for root from 192.0.2.66 port 40022 ssh2',
  },
  recovery: { action: 'unban' },
  mapping: {
    fields: {
      title: {
        expression:
          'first(webhook.ip, "An address") + " is banned" + first(" from " + webhook.jail, "") + first(" on " + webhook.fq_hostname, "")',
      },
      // An attack that was stopped.
      severity: { template: '{{webhook.severity}}', default: 'warning' },
      description: {
        expression:
          'first(string(webhook.failures) + " failures: " + webhook.matches, string(webhook.failures) + " failures", webhook.matches)',
      },
      source: { template: 'Fail2ban' },
      service: { template: '{{webhook.jail}}' },
      // Fail2ban bans again after a restart, with the time of the first ban, so that time is not an occurrence.
      status: { template: '{{webhook.action}}', values: { ban: 'firing', unban: 'resolved' } },
      dedupKey: { expression: keyOf('webhook.fq_hostname', 'webhook.jail', 'webhook.ip') },
    },
    custom: {
      host: { template: '{{webhook.fq_hostname}}' },
      ip: { template: '{{webhook.ip}}' },
    },
  },
  expected: [
    {
      title: '192.0.2.66 is banned from sshd on gate-1.example.com',
      severity: 'warning',
      description: '5 failures: sshd[411]: Failed password for root from 192.0.2.66 port 40022 ssh2',
      source: 'Fail2ban',
      service: 'sshd',
      status: 'firing',
      dedupKey: 'gate-1.example.com/sshd/192.0.2.66',
    },
  ],
} satisfies CatalogueSource;
