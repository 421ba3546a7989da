import type { CatalogueSource } from '../source.js';

export default {
  name: 'dynatrace',
  title: 'Dynatrace',
  documentation:
    'https://docs.dynatrace.com/docs/analyze-explore-automate/notifications-and-alerting/problem-notifications/webhook-integration',
  signature: {
    scheme: 'header-token',
    parameters: { header: 'x-muster-token' },
    setup: 'Settings → Integration → Problem notifications → Custom integration → Additional HTTP headers',
  },
  sample: {
    ImpactedEntities: [{ type: 'SERVICE', name: 'Pricing', entity: 'SERVICE-0000000000000001' }],
    ImpactedEntity: 'Pricing',
    PID: '-4400112233_1770113640000V2',
    ProblemID: 'P-26021',
    ProblemImpact: 'SERVICE',
    ProblemSeverity: 'PERFORMANCE',
    ProblemTitle: 'Response time degradation',
    ProblemDetailsText: 'The response time of Pricing rose from 40 ms to 900 ms.',
    ProblemURL: 'https://dynatrace.example.com/problem/P-26021',
    State: 'OPEN',
    Tags: 'team:pricing, production',
  },
  recovery: { State: 'RESOLVED', ProblemDetailsText: 'The response time of Pricing is normal again.' },
  mapping: {
    final: true,
    fields: {
      title: {
        template: '{{webhook.ProblemTitle|webhook.ProblemDetailsJSON.title|webhook.ProblemDetailsText}}',
      },
      // The severity level of a problem is a category, not an urgency.
      severity: {
        template:
          '{{webhook.ProblemSeverity|webhook.ProblemDetailsJSON.severityLevel|webhook.ProblemDetails.severityLevel}}',
        values: {
          AVAILABILITY: 'critical',
          ERROR: 'error',
          PERFORMANCE: 'warning',
          RESOURCE_CONTENTION: 'warning',
          RESOURCE: 'warning',
          MONITORING_UNAVAILABLE: 'warning',
          CUSTOM_ALERT: 'error',
          INFO: 'info',
        },
        default: 'error',
      },
      // The details have a name that the author of a custom payload chose, and may be an object.
      description: {
        expression:
          'first(webhook.ProblemDetailsText, webhook.ProblemDetailsMarkdown, type(webhook.ProblemDetails) == string ? webhook.ProblemDetails : "", webhook.ProblemTitle, webhook.ProblemDetailsJSON.title)',
      },
      source: { template: 'Dynatrace' },
      service: { template: '{{webhook.ImpactedEntities[0].name|webhook.ImpactedEntity}}' },
      environment: { template: '{{webhook.Tags.environment|webhook.Tags.env|webhook.ProblemTags.env}}' },
      team: { template: '{{webhook.Tags.team|webhook.ProblemTags.team}}' },
      // The test of a notification describes a problem that nobody has. The short numbers of old versions come back, unlike a PID.
      status: {
        expression:
          'first(webhook.ProblemTitle, "").startsWith("Dynatrace problem notification test run") || string(first(webhook.PID, "")) in ["99999", "999999"] ? "test" : first(string(webhook.PID), "") == "" && string(first(webhook.ProblemID, "")).matches("^#?[0-9]{1,4}$") ? first(webhook.State, webhook.ProblemDetailsJSON.status, "").replace("OPEN", "REOPENED") : first(webhook.State, webhook.ProblemDetailsJSON.status, "")',
        values: { MERGED: 'resolved' },
      },
      // The problem. If it was merged, it continues under the id of another one.
      dedupKey: { template: '{{webhook.PID|webhook.ProblemID}}' },
    },
    custom: {
      state: { template: '{{webhook.State}}' },
      impact: { template: '{{webhook.ProblemImpact}}' },
      tags: { template: '{{webhook.Tags|webhook.ProblemTags}}' },
      link: { template: '{{webhook.ProblemURL|webhook["Problem URL"]}}' },
    },
  },
  expected: [
    {
      title: 'Response time degradation',
      severity: 'warning',
      description: 'The response time of Pricing rose from 40 ms to 900 ms.',
      source: 'Dynatrace',
      service: 'Pricing',
      team: 'pricing',
      status: 'firing',
      dedupKey: '-4400112233_1770113640000V2',
    },
  ],
} satisfies CatalogueSource;
