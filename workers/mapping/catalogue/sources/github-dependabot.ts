import { keyOf } from '../keys.js';
import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'github-dependabot',
  title: 'GitHub Dependabot alert',
  documentation: 'https://docs.github.com/webhooks/webhook-events-and-payloads#dependabot_alert',
  signature: { scheme: 'github', setup: 'Settings → Webhooks → Add webhook → Secret' },
  sample: {
    action: 'created',
    alert: {
      number: 4,
      state: 'open',
      updated_at: '2026-02-03T10:20:00Z',
      dependency: {
        package: { ecosystem: 'npm', name: 'left-trim' },
        manifest_path: 'package.json',
        scope: 'runtime',
      },
      security_advisory: {
        ghsa_id: 'GHSA-xxxx-yyyy-zzzz',
        cve_id: null,
        summary: 'left-trim takes forever on long whitespace',
        description: 'Versions before 2.1.0 need quadratic time.',
        severity: 'high',
        cvss: { vector_string: null, score: 7.5 },
      },
      security_vulnerability: { severity: 'high', vulnerable_version_range: '< 2.1.0' },
      html_url: 'https://github.com/example/shop/security/dependabot/4',
    },
    repository: { id: 6, name: 'shop', full_name: 'example/shop', owner: { login: 'example' } },
    sender: { login: 'github', id: 1 },
  },
  recovery: { action: 'fixed', alert: { state: 'fixed', updated_at: '2026-02-04T10:20:00Z' } },
  mapping: {
    // GitHub pings a new webhook.
    filter: 'has(webhook.alert)',
    fields: {
      // Before 2023 the alerts were called `repository_vulnerability_alert`, and have only the name of the package.
      title: {
        expression:
          'first(webhook.alert.security_advisory.summary, webhook.alert.security_advisory.description, "Vulnerability in " + webhook.alert.affected_package_name)',
      },
      severity: {
        template:
          '{{webhook.alert.security_advisory.severity|webhook.alert.security_vulnerability.severity|webhook.alert.severity}}',
        values: SEVERITIES,
        default: 'error',
      },
      description: {
        expression:
          'first(webhook.alert.security_advisory.description, webhook.alert.security_advisory.summary, webhook.alert.affected_package_name + " " + webhook.alert.affected_range + ": " + first(webhook.alert.external_identifier, webhook.alert.ghsa_id))',
      },
      source: { template: 'GitHub Dependabot' },
      service: { template: '{{webhook.repository.full_name}}' },
      // The action, because GitHub sends the state of the alert also with news such as another assignee.
      status: {
        template: '{{webhook.action|webhook.alert.state}}',
        values: {
          reintroduced: 'reopened',
          auto_reopened: 'reopened',
          create: 'firing',
          dismiss: 'resolved',
          assignees_changed: 'update',
        },
      },
      // GitHub does not deliver in order.
      occurrence: { template: '{{webhook.alert.updated_at}}' },
      // Alerts are numbered within a repository. Only alerts of Dependabot have an ecosystem, or earlier a package of their own.
      dedupKey: {
        expression: keyOf(
          'webhook.repository.id',
          'first(webhook.alert.dependency.package.ecosystem, webhook.alert.affected_package_name)',
          'first(webhook.alert.number, webhook.alert.id)',
        ),
      },
    },
    custom: {
      action: { template: '{{webhook.action}}' },
      package: { template: '{{webhook.alert.dependency.package.name|webhook.alert.affected_package_name}}' },
      advisory: { template: '{{webhook.alert.security_advisory.ghsa_id|webhook.alert.ghsa_id}}' },
      link: { template: '{{webhook.alert.html_url|webhook.alert.external_reference}}' },
    },
  },
  expected: [
    {
      title: 'left-trim takes forever on long whitespace',
      severity: 'error',
      description: 'Versions before 2.1.0 need quadratic time.',
      source: 'GitHub Dependabot',
      service: 'example/shop',
      status: 'firing',
      dedupKey: '6/npm/4',
      occurrence: '2026-02-03T10:20:00Z',
    },
  ],
} satisfies CatalogueSource;
