import { sentryMapping } from '../sentry.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'sentry-issue',
  title: 'Sentry issue',
  documentation: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/issues/',
  signature: {
    scheme: 'sentry',
    setup: 'Settings → Custom Integrations → your integration → Credentials → Client Secret',
  },
  sample: {
    action: 'created',
    actor: { id: 'sentry', name: 'Sentry', type: 'application' },
    installation: { uuid: '11111111-2222-4333-8444-555555555555' },
    data: {
      issue: {
        id: '4400123',
        shortId: 'SHOP-17',
        title: 'TypeError: basket is undefined',
        culprit: 'checkout/basket',
        level: 'error',
        logger: null,
        status: 'unresolved',
        platform: 'javascript',
        permalink: 'https://sentry.example.com/issues/4400123/',
        metadata: { filename: 'basket.js', type: 'TypeError', value: 'basket is undefined' },
        project: { id: '7', name: 'Shop', platform: 'javascript', slug: 'shop' },
        count: '3',
        userCount: 2,
        firstSeen: '2026-02-03T10:00:00.000000Z',
        lastSeen: '2026-02-03T10:04:00.000000Z',
      },
    },
  },
  otherSamples: [
    {
      action: 'created',
      actor: { type: 'user', id: 7, name: 'Kim Example' },
      installation: { uuid: '00000000-0000-4000-8000-000000000001' },
      data: {
        comment: 'Seen since noon',
        comment_id: '9',
        issue_id: '41',
        project_slug: 'shop',
        timestamp: '2026-02-03T10:20:00Z',
      },
    },
    {
      id: '41',
      project_name: 'Shop',
      project_slug: 'shop',
      culprit: 'basket in load',
      message: 'No such basket',
      level: 'error',
      url: 'https://sentry.example.com/issues/41/',
      triggering_rules: [],
      event: { event_id: '0a1b', stacktrace: { frames: [] } },
    },
  ],
  recovery: { action: 'resolved', data: { issue: { status: 'resolved' } } },
  mapping: sentryMapping,
  expected: [
    {
      title: 'TypeError: basket is undefined',
      severity: 'error',
      description: 'TypeError: basket is undefined in checkout/basket',
      source: 'Sentry',
      service: 'shop',
      status: 'firing',
      dedupKey: '4400123',
      occurrence: '2026-02-03T10:04:00.000000Z',
    },
  ],
} satisfies CatalogueSource;
