import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'splunk',
  title: 'Splunk alert',
  documentation: 'https://docs.splunk.com/Documentation/Splunk/latest/Alert/Webhooks',
  sample: {
    sid: 'scheduler__ops__search__RMD5example_at_1770113640_7',
    search_name: 'Failed logins',
    app: 'search',
    owner: 'ops',
    results_link: 'https://splunk.example.com/app/search/@go?sid=example',
    result: {
      _raw: 'Feb  3 10:20:00 bastion-1 sshd[411]: Failed password for root',
      host: 'bastion-1',
      source: '/var/log/secure',
      sourcetype: 'linux_secure',
      index: 'os',
      count: '57',
      severity: 'high',
    },
  },
  otherSamples: [
    // The result has the columns of the search, or there is none.
    {
      sid: 'scheduler__ops__search__RMD5example_at_1770113640_8',
      search_name: 'No heartbeats',
      app: 'search',
      owner: 'ops',
      results_link: 'https://splunk.example.com/app/search/@go?sid=example',
      result: null,
    },
  ],
  mapping: {
    fields: {
      title: { template: '{{webhook.search_name|webhook.result._raw}}' },
      // The payload has a severity only if the search returns one.
      severity: {
        template: '{{webhook.result.severity|webhook.result.urgency}}',
        values: SEVERITIES,
        default: 'warning',
      },
      description: { template: '{{webhook.result._raw|webhook.search_name}}' },
      source: { template: 'Splunk' },
      service: { template: '{{webhook.result.service|webhook.result.host}}' },
      environment: { template: '{{webhook.result.environment|webhook.result.env}}' },
      // No dedupKey: each run of a search has its own id, and Splunk reports no recovery.
    },
    // It retries after a timeout, and its webhook has no delivery id.
    repeatWindowSeconds: 300,
    custom: {
      app: { template: '{{webhook.app}}' },
      index: { template: '{{webhook.result.index}}' },
      link: { template: '{{webhook.results_link}}' },
    },
  },
  expected: [
    {
      title: 'Failed logins',
      severity: 'error',
      description: 'Feb  3 10:20:00 bastion-1 sshd[411]: Failed password for root',
      source: 'Splunk',
      service: 'bastion-1',
    },
  ],
} satisfies CatalogueSource;
