import { keyOf } from '../keys.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'cron',
  title: 'cron',
  documentation: 'https://manpages.debian.org/stable/cron/crontab.5.en.html',
  sample: {
    host: 'app-5',
    user: 'backup',
    command: '/usr/local/bin/backup --all',
    exit: '11',
    started: '1770113640',
    output: 'rsync error: error in file IO (code 11)',
  },
  recovery: { exit: '0', started: '1770117240', output: 'sent 12 files' },
  mapping: {
    fields: {
      title: {
        template:
          'Cron job fails{{#webhook.host}} on {{.}}{{/webhook.host}}{{#webhook.command}}: {{.}}{{/webhook.command}}',
      },
      // cron knows no severities.
      severity: { template: '{{webhook.severity}}', default: 'error' },
      description: {
        expression:
          'first(webhook.output, string(webhook.exit) == "0" ? "" : "exit code " + string(webhook.exit))',
      },
      source: { template: 'cron' },
      service: { template: '{{webhook.host}}' },
      status: { expression: 'string(webhook.exit) == "0" ? "resolved" : "firing"' },
      // A job that started earlier and failed later says nothing about the newer run.
      occurrence: { template: '{{webhook.started}}' },
      // A user's job is its command; its exit code and its output change.
      dedupKey: { expression: keyOf('webhook.host', 'webhook.user', 'webhook.command') },
    },
    custom: {
      user: { template: '{{webhook.user}}' },
      exitCode: { template: '{{webhook.exit}}' },
    },
  },
  expected: [
    {
      title: 'Cron job fails on app-5: /usr/local/bin/backup --all',
      severity: 'error',
      description: 'rsync error: error in file IO (code 11)',
      source: 'cron',
      service: 'app-5',
      status: 'firing',
      occurrence: '1770113640',
      dedupKey: 'app-5/backup//usr/local/bin/backup --all',
    },
  ],
} satisfies CatalogueSource;
