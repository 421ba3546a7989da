import type { Story } from '../story.js';

const alert = { source: 'Webhook', environment: null, status: null, eventCount: 1 };

export default [
  {
    what: 'messages of different severities, none of which ends',
    shape: 'https://github.com/caronc/apprise/wiki/Notify_Custom_JSON',
    steps: [
      ['a failure', { title: 'Backup of db-3 failed', message: 'No space is left.', type: 'failure' }],
      ['a success', { title: 'Backup of db-3 ended', message: 'It took 9 minutes.', type: 'success' }],
      ['without a type', { title: 'Backup of db-4 failed', message: 'No space is left.' }],
    ],
    alerts: [
      {
        ...alert,
        title: 'Backup of db-3 failed',
        severity: 'error',
        description: 'No space is left.',
        service: null,
      },
      {
        ...alert,
        title: 'Backup of db-3 ended',
        severity: 'info',
        description: 'It took 9 minutes.',
        service: null,
      },
      {
        ...alert,
        title: 'Backup of db-4 failed',
        severity: 'warning',
        description: 'No space is left.',
        service: null,
      },
    ],
  },
  {
    what: 'a subject and a text with a level and a host',
    shape: 'https://github.com/caronc/apprise/wiki/Notify_Custom_JSON, with other names',
    steps: [['sent', { subject: 'Certificates expire', text: 'Two of them.', level: 'high', host: 'web-1' }]],
    alerts: [
      {
        ...alert,
        title: 'Certificates expire',
        severity: 'error',
        description: 'Two of them.',
        service: 'web-1',
      },
    ],
  },
] satisfies Story[];
