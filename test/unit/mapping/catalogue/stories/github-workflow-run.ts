import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const run = (
  number: number,
  branch: string,
  conclusion: string | null,
  more: Record<string, JsonValue> = {},
): JsonValue => ({
  action: conclusion === null ? 'requested' : 'completed',
  workflow: { id: 71, name: 'Release', path: '.github/workflows/release.yml' },
  workflow_run: {
    id: 880000 + number,
    name: 'Release',
    workflow_id: 71,
    run_number: number,
    run_attempt: 1,
    event: 'push',
    status: conclusion === null ? 'queued' : 'completed',
    conclusion,
    head_branch: branch,
    display_title: 'Sort the basket',
    head_repository: { id: 12 },
    ...more,
  },
  repository: { id: 12, name: 'basket', full_name: 'example/basket' },
  organization: { login: 'example' },
});

const alert = {
  source: 'GitHub',
  service: 'example/basket',
  environment: null,
  description: 'Sort the basket',
};

export default [
  {
    what: 'a run starts and fails, a branch fails too, the next run passes, and the failure arrives once more',
    shape: 'octokit/webhooks payload-examples/api.github.com/workflow_run',
    steps: [
      ['pinged', { zen: 'Keep it simple.', hook_id: 1, hook: { id: 1 }, repository: { id: 12 } }],
      ['started', run(4, 'main', null)],
      ['failed', run(4, 'main', 'failure')],
      ['another branch', run(5, 'next', 'timed_out')],
      ['passed', run(6, 'main', 'success')],
      ['delivered late', run(4, 'main', 'failure')],
      ['canceled', run(7, 'main', 'cancelled')],
    ],
    alerts: [
      {
        ...alert,
        title: 'Release failed on main',
        severity: 'error',
        status: 'resolved',
        eventCount: 2,
      },
      { ...alert, title: 'Release failed on next', severity: 'error', status: 'firing', eventCount: 1 },
    ],
  },
  {
    what: 'a run without its workflow fails and passes at the second attempt, and another waits for approval',
    shape:
      'https://docs.github.com/webhooks/webhook-events-and-payloads#workflow_run, whose workflow may be null',
    steps: [
      ['failed', { ...(run(8, 'main', 'startup_failure') as object), workflow: null }],
      ['passed', { ...(run(8, 'main', 'success', { run_attempt: 2 }) as object), workflow: null }],
      ['waits', run(9, 'main', 'action_required')],
    ],
    alerts: [
      {
        ...alert,
        title: 'Release failed on main',
        severity: 'error',
        status: 'resolved',
        eventCount: 2,
      },
      {
        ...alert,
        title: 'Release waits for approval on main',
        severity: 'warning',
        status: null,
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
