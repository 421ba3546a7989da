import { UP_OR_DOWN } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'statuscake',
  title: 'StatusCake',
  documentation: 'https://www.statuscake.com/kb/knowledge-base/how-to-use-the-web-hook-url/',
  sample: {
    TestID: '60601',
    URL: 'https://status.example.com',
    Token: 'example',
    Method: 'Website',
    Name: 'Status page',
    StatusCode: '504',
    Status: 'Down',
    Checkrate: '300',
    Tags: 'public',
  },
  recovery: { Status: 'Up', StatusCode: '200' },
  mapping: {
    fields: {
      title: { template: '{{webhook.Name|webhook.URL}} is down' },
      severity: { template: '{{webhook.Status}}', values: UP_OR_DOWN, default: 'error' },
      description: {
        template:
          '{{webhook.URL|webhook.Name}}{{#webhook.Status}} is {{.}}{{/webhook.Status}}{{#webhook.StatusCode}} (status {{.}}){{/webhook.StatusCode}}',
      },
      source: { template: 'StatusCake' },
      service: { template: '{{webhook.Name}}' },
      status: { template: '{{webhook.Status}}' },
      // The test.
      dedupKey: { template: '{{webhook.TestID}}' },
    },
    custom: { test: { template: '{{webhook.TestID}}' }, tags: { template: '{{webhook.Tags}}' } },
  },
  expected: [
    {
      title: 'Status page is down',
      severity: 'critical',
      description: 'https://status.example.com is Down (status 504)',
      source: 'StatusCake',
      service: 'Status page',
      status: 'firing',
      dedupKey: '60601',
    },
  ],
} satisfies CatalogueSource;
