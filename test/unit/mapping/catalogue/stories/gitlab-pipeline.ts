import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const PROJECT = { id: 44, name: 'basket', namespace: 'Shop', path_with_namespace: 'shop/basket' };

const pipeline = (
  id: number,
  ref: string,
  status: string,
  more: Record<string, JsonValue> = {},
): JsonValue => ({
  object_kind: 'pipeline',
  object_attributes: {
    id,
    iid: id - 600,
    name: null,
    ref,
    tag: false,
    source: 'push',
    status,
    detailed_status: status,
    stages: ['test'],
    ...more,
  },
  user: { id: 1, name: 'Kim Example' },
  project: PROJECT,
  commit: { id: '01', title: 'Sort the basket', message: 'Sort the basket' },
  builds: [{ id: 9, stage: 'test', name: 'lint', status }],
});

/** A pipeline of a version that sends neither a source nor a name. */
const early = (id: number, status: string): JsonValue => ({
  object_kind: 'pipeline',
  object_attributes: { id, ref: 'main', tag: false, status, created_at: '2026-03-01 08:00:00 UTC' },
  project: { name: 'basket', namespace: 'Shop', path_with_namespace: 'shop/basket' },
  commit: { id: '01', message: 'Count twice\n' },
  builds: [],
});

const alert = { source: 'GitLab', service: 'shop/basket', environment: null, team: 'Shop' };

export default [
  {
    what: 'a pipeline runs and fails, the next one passes, and the failure arrives late',
    shape: 'https://docs.gitlab.com/user/project/integrations/webhook_events/#pipeline-events',
    steps: [
      ['pending', pipeline(701, 'main', 'pending')],
      ['running', pipeline(701, 'main', 'running')],
      ['failed', pipeline(701, 'main', 'failed')],
      ['another branch', pipeline(702, 'next', 'failed', { name: 'Nightly' })],
      ['passed', pipeline(703, 'main', 'success')],
      ['delivered late', pipeline(701, 'main', 'failed')],
      ['canceled', pipeline(704, 'main', 'canceled')],
    ],
    alerts: [
      {
        ...alert,
        title: 'Pipeline failed on main',
        severity: 'error',
        description: 'Sort the basket',
        status: 'resolved',
        eventCount: 2,
      },
      {
        ...alert,
        title: 'Nightly failed on next',
        severity: 'error',
        description: 'Sort the basket',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a pipeline of an earlier version fails, and passes when it is retried',
    shape: 'zulip/zulip zerver/webhooks/gitlab/fixtures/pipeline_hook__pipeline_succeeded.json',
    steps: [
      ['failed', early(31, 'failed')],
      ['passed', early(31, 'success')],
    ],
    alerts: [
      {
        ...alert,
        title: 'Pipeline failed on main',
        severity: 'error',
        description: 'Count twice',
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
