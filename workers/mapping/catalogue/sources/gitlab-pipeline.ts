import { part } from '../keys.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'gitlab-pipeline',
  title: 'GitLab pipeline',
  documentation: 'https://docs.gitlab.com/user/project/integrations/webhook_events/#pipeline-events',
  signature: {
    scheme: 'gitlab',
    setup:
      'Settings → Webhooks → Add new webhook → Signing token. Earlier versions of GitLab only have a secret token: choose that scheme',
  },
  sample: {
    object_kind: 'pipeline',
    object_attributes: {
      id: 5151,
      iid: 40,
      name: 'Nightly',
      ref: 'main',
      status: 'failed',
      detailed_status: 'failed',
      stages: ['build', 'test'],
      duration: 63,
      url: 'https://gitlab.example.com/shop/basket/-/pipelines/5151',
    },
    user: { id: 2, name: 'Kim Example', username: 'kim' },
    project: { id: 3, name: 'basket', namespace: 'shop', path_with_namespace: 'shop/basket' },
    commit: { id: '0123', title: 'Round prices up', message: 'Round prices up' },
    builds: [{ id: 9, stage: 'test', name: 'unit', status: 'failed', failure_reason: 'script_failure' }],
  },
  recovery: { object_attributes: { id: 5152, iid: 41, status: 'success', detailed_status: 'passed' } },
  mapping: {
    // A pipeline that runs, waits, or that somebody cancels or skips, tells of no problem.
    filter: 'first(webhook.object_attributes.status, "") in ["failed", "success"]',
    fields: {
      title: {
        expression:
          'first(webhook.object_attributes.name, "Pipeline") + " failed" + first(" on " + webhook.object_attributes.ref, "")',
      },
      severity: {
        template: '{{webhook.object_attributes.status}}',
        values: { failed: 'error', success: 'info' },
        default: 'error',
      },
      description: {
        template: '{{webhook.commit.title|webhook.commit.message|webhook.object_attributes.ref}}',
      },
      source: { template: 'GitLab' },
      service: { template: '{{webhook.project.path_with_namespace}}' },
      team: { template: '{{webhook.project.namespace}}' },
      status: { expression: 'webhook.object_attributes.status == "success" ? "resolved" : "firing"' },
      // GitLab does not deliver in order. The ids of pipelines grow, and one that is retried ends again: the digits of the time follow the id.
      occurrence: {
        expression:
          'first(string(webhook.object_attributes.id) + "." + extract(webhook.object_attributes.finished_at, "^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:]{8}").replace("-", "").replace(":", "").replace(" ", "").replace("T", ""), string(webhook.object_attributes.id))',
      },
      // The pipelines of one kind on a branch: the next one that succeeds ends the failure. Earlier versions of GitLab send
      // neither a source, nor a name, nor the id of the project.
      dedupKey: {
        expression: `first(${part('first(webhook.project.id, webhook.project.path_with_namespace)')} + "/" + ${part('webhook.object_attributes.ref')} + "/" + [${part('first(webhook.object_attributes.source, "")')}, first(webhook.object_attributes.name, "")].join("/"), "")`,
      },
    },
    custom: {
      jobs: {
        expression: 'webhook.builds.filter(b, b.status == "failed").map(b, b.name).join(", ")',
      },
      ref: { template: '{{webhook.object_attributes.ref}}' },
      link: { template: '{{webhook.object_attributes.url}}' },
    },
  },
  expected: [
    {
      title: 'Nightly failed on main',
      severity: 'error',
      description: 'Round prices up',
      source: 'GitLab',
      service: 'shop/basket',
      team: 'shop',
      status: 'firing',
      dedupKey: '3/main//Nightly',
      occurrence: '5151',
    },
  ],
} satisfies CatalogueSource;
