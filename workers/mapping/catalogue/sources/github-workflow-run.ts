import { keyOf } from '../keys.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'github-workflow-run',
  title: 'GitHub workflow run',
  documentation: 'https://docs.github.com/webhooks/webhook-events-and-payloads#workflow_run',
  signature: { scheme: 'github', setup: 'Settings → Webhooks → Add webhook → Secret' },
  sample: {
    action: 'completed',
    workflow: { id: 40, name: 'build', path: '.github/workflows/build.yml', state: 'active' },
    workflow_run: {
      id: 9007199254740,
      name: 'build',
      run_number: 311,
      run_attempt: 1,
      event: 'push',
      status: 'completed',
      conclusion: 'failure',
      head_branch: 'main',
      head_sha: '0123456789abcdef0123456789abcdef01234567',
      display_title: 'Count vouchers once',
      html_url: 'https://github.com/example/shop/actions/runs/9007199254740',
      actor: { login: 'kim-example', id: 5 },
      head_commit: { id: '0123', message: 'Count vouchers once', author: { name: 'Kim Example' } },
    },
    repository: { id: 6, name: 'shop', full_name: 'example/shop', owner: { login: 'example' } },
    organization: { login: 'example', id: 7 },
    sender: { login: 'kim-example', id: 5 },
  },
  recovery: {
    workflow_run: {
      id: 9007199254741,
      run_number: 312,
      conclusion: 'success',
      display_title: 'Count vouchers exactly once',
    },
  },
  mapping: {
    // A run that starts, or that somebody cancels or skips, tells of no problem.
    filter:
      'first(webhook.workflow_run.conclusion, "") in ["failure", "timed_out", "startup_failure", "action_required", "success"]',
    fields: {
      title: {
        expression:
          'first(webhook.workflow.name, webhook.workflow_run.name, "A workflow") + (first(webhook.workflow_run.conclusion, "") == "action_required" ? " waits for approval on " : " failed on ") + first(webhook.workflow_run.head_branch, "a branch")',
      },
      severity: {
        template: '{{webhook.workflow_run.conclusion}}',
        values: {
          failure: 'error',
          timed_out: 'error',
          startup_failure: 'error',
          action_required: 'warning',
          success: 'info',
        },
        default: 'error',
      },
      description: {
        template: '{{webhook.workflow_run.display_title|webhook.workflow_run.head_commit.message}}',
      },
      source: { template: 'GitHub' },
      service: { template: '{{webhook.repository.full_name}}' },
      team: { template: '{{webhook.organization.login}}' },
      status: { expression: 'webhook.workflow_run.conclusion == "success" ? "resolved" : "firing"' },
      // GitHub does not deliver in order. A run that is repeated has the same number and one more attempt.
      occurrence: {
        expression: 'webhook.workflow_run.run_number * 1000 + first(webhook.workflow_run.run_attempt, 1)',
      },
      // The runs of a workflow on a branch: the next one that succeeds ends the failure. An approval is for a run of its own,
      // so it has no key. A fork may have a branch of the same name.
      dedupKey: {
        expression: `webhook.workflow_run.conclusion != "action_required" ? ${keyOf('first(webhook.workflow_run.head_repository.id, webhook.repository.id)', 'first(webhook.workflow.id, webhook.workflow_run.workflow_id)', 'webhook.workflow_run.head_branch')} : ""`,
      },
    },
    custom: {
      branch: { template: '{{webhook.workflow_run.head_branch}}' },
      actor: { template: '{{webhook.workflow_run.actor.login}}' },
      link: { template: '{{webhook.workflow_run.html_url}}' },
    },
  },
  expected: [
    {
      title: 'build failed on main',
      severity: 'error',
      description: 'Count vouchers once',
      source: 'GitHub',
      service: 'example/shop',
      team: 'example',
      status: 'firing',
      dedupKey: '6/40/main',
      occurrence: '311001',
    },
  ],
} satisfies CatalogueSource;
