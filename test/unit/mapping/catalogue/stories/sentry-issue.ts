import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const issue = (action: string, id: string, status = 'unresolved'): JsonValue => ({
  action,
  actor: { type: 'user', id: 7, name: 'Kim Example' },
  installation: { uuid: '1' },
  data: {
    issue: {
      id,
      shortId: `SHOP-${id}`,
      title: 'KeyError: no such basket',
      culprit: 'basket in load',
      level: 'error',
      status,
      type: 'error',
      metadata: { type: 'KeyError', value: 'no such basket', filename: 'basket.py' },
      project: { id: '5', name: 'Shop', slug: 'shop', platform: 'python' },
    },
  },
});

const comment: JsonValue = {
  action: 'created',
  actor: { type: 'user', id: 7, name: 'Kim Example' },
  installation: { uuid: '1' },
  data: {
    comment: 'Seen since noon',
    comment_id: '9',
    issue_id: '41',
    project_slug: 'shop',
    timestamp: '2026-03-01T08:02:00Z',
  },
};

const shown = {
  title: 'KeyError: no such basket',
  severity: 'error',
  description: 'KeyError: no such basket in basket in load',
  source: 'Sentry',
  service: 'shop',
  environment: null,
};

export default [
  {
    what: 'an issue is assigned, resolved, comes back and is archived',
    shape:
      'zulip/zulip zerver/webhooks/sentry/fixtures/issue_created_for_exception.json, issue_resolved.json, issue_ignored.json',
    steps: [
      ['fired', issue('created', '41')],
      ['assigned', issue('assigned', '41')],
      ['another problem', issue('created', '42')],
      ['resolved', issue('resolved', '41', 'resolved')],
      ['assigned later', issue('assigned', '41')],
      ['fired again', issue('unresolved', '41')],
      ['archived', issue('archived', '41', 'ignored')],
    ],
    alerts: [
      {
        ...shown,
        status: 'resolved',
        eventCount: 3,
      },
      { ...shown, status: 'firing', eventCount: 1 },
      {
        ...shown,
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
  {
    what: 'comments, and the installation of the integration',
    shape: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/comments/',
    steps: [
      [
        'installed',
        {
          action: 'created',
          installation: { uuid: '1' },
          data: { installation: { uuid: '1', status: 'installed' } },
        },
      ],
      ['comment before', comment],
      ['fired', issue('created', '41')],
      ['comment', comment],
    ],
    alerts: [{ ...shown, status: 'firing', eventCount: 2 }],
  },
  {
    what: 'the older plugin',
    shape: 'zulip/zulip zerver/webhooks/sentry/fixtures/exception_message.json',
    steps: [
      [
        'fired',
        {
          project_name: 'Shop',
          project_slug: 'shop',
          message: 'No such basket',
          id: '77',
          culprit: 'basket in load',
          url: 'https://sentry.example.com/issues/77/',
          level: 'error',
          triggering_rules: [],
          event: { stacktrace: { frames: [] } },
        },
      ],
    ],
    alerts: [
      {
        ...shown,
        title: 'No such basket',
        description: 'No such basket in basket in load',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
