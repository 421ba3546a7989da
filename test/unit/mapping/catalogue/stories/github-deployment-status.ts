import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const status = (id: number, environment: string, state: string, description = ''): JsonValue => ({
  action: 'created',
  deployment_status: {
    id,
    state,
    description,
    environment,
    target_url: '',
    log_url: 'https://ci.example.com/1',
  },
  deployment: {
    id: 300,
    ref: 'v7',
    task: 'deploy',
    environment,
    original_environment: environment,
    description: null,
  },
  repository: { id: 12, name: 'basket', full_name: 'example/basket' },
});

/** A status from before statuses had an environment. */
const early = (id: number, state: string): JsonValue => ({
  deployment_status: { id, state, description: null, target_url: null },
  deployment: { id: 200, ref: 'main', task: 'deploy', environment: 'production', description: null },
  repository: { id: 12, name: 'basket', full_name: 'example/basket' },
});

const alert = { source: 'GitHub', service: 'example/basket' };

export default [
  {
    what: 'a deployment waits, fails and succeeds, its failure arrives late, and another environment fails',
    shape: 'octokit/webhooks payload-examples/api.github.com/deployment_status',
    steps: [
      ['pinged', { zen: 'Keep it simple.', hook_id: 1, hook: { id: 1 }, repository: { id: 12 } }],
      ['queued', status(1, 'staging', 'queued')],
      ['in progress', status(2, 'staging', 'in_progress')],
      ['failed', status(3, 'staging', 'failure', 'The migration failed')],
      ['another environment', status(4, 'canary', 'error', 'The canary does not start')],
      ['succeeded', status(5, 'staging', 'success', 'The migration ran')],
      ['delivered late', status(3, 'staging', 'failure', 'The migration failed')],
      ['superseded', status(6, 'canary', 'inactive')],
    ],
    alerts: [
      {
        ...alert,
        title: 'Deployment of basket to staging failed',
        severity: 'error',
        description: 'The migration failed',
        environment: 'staging',
        status: 'resolved',
        eventCount: 2,
        resolution: 'The migration ran',
      },
      {
        ...alert,
        title: 'Deployment of basket to canary failed',
        severity: 'error',
        description: 'The canary does not start',
        environment: 'canary',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a deployment of an earlier version fails and succeeds',
    shape: 'zulip/zulip zerver/webhooks/github/fixtures/deployment_status__failure.json',
    steps: [
      ['pending', early(1, 'pending')],
      ['failed', early(2, 'failure')],
      ['succeeded', early(3, 'success')],
    ],
    alerts: [
      {
        ...alert,
        title: 'Deployment of basket to production failed',
        severity: 'error',
        description: 'deploy of main',
        environment: 'production',
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
