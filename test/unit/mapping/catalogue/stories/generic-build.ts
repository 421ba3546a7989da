import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const build = (id: number | string, branch: string, status: string): JsonValue => ({
  id,
  repository: { name: 'basket', url: 'https://git.example.com/basket' },
  status,
  build_url: `https://ci.example.com/${id}`,
  branch,
  message: 'Sort the basket',
});

const alert = { source: 'Build', service: 'basket', environment: null, description: 'Sort the basket' };

export default [
  {
    what: 'a build runs and fails, the next one passes, and the failure arrives late',
    shape: 'harness/developer-hub docs/ai-sre/alerts/webhooks.md',
    steps: [
      ['running', build(1, 'main', 'running')],
      ['failed', build(1, 'main', 'FAILURE')],
      ['another branch', build(2, 'next', 'error')],
      ['passed', build(3, 'main', 'SUCCESS')],
      ['delivered late', build(1, 'main', 'FAILURE')],
      ['canceled', build(4, 'main', 'canceled')],
    ],
    alerts: [
      {
        ...alert,
        title: 'Build of basket failed on main',
        severity: 'error',
        status: 'resolved',
        eventCount: 2,
      },
      {
        ...alert,
        title: 'Build of basket failed on next',
        severity: 'error',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'builds with ids that are no numbers fail and pass',
    shape: 'harness/developer-hub docs/ai-sre/alerts/webhooks.md, with ids of another program',
    steps: [
      ['failed', build('a1', 'main', 'failed')],
      ['passed', build('b2', 'main', 'passed')],
    ],
    alerts: [
      {
        ...alert,
        title: 'Build of basket failed on main',
        severity: 'error',
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
