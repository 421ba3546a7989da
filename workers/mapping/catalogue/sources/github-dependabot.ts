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
  recovery: { action: 'fixed', alert: { state: 'fixed' } },
  mapping: {
    fields: {
      title: {
        template: '{{webhook.alert.security_advisory.summary|webhook.alert.security_advisory.description}}',
      },
      severity: {
        template: '{{webhook.alert.security_advisory.severity}}',
        values: SEVERITIES,
        default: 'error',
      },
      description: {
        template: '{{webhook.alert.security_advisory.description|webhook.alert.security_advisory.summary}}',
      },
      source: { template: 'GitHub Dependabot' },
      service: { template: '{{webhook.repository.full_name}}' },
      status: {
        template: '{{webhook.alert.state|webhook.action}}',
        values: {
          reintroduced: 'firing',
          auto_reopened: 'firing',
          dismissed: 'resolved',
          auto_dismissed: 'resolved',
        },
      },
      // Alerts are numbered within a repository. Only alerts of Dependabot have an ecosystem.
      dedupKey: {
        template:
          '{{webhook.repository.id}}/{{webhook.alert.dependency.package.ecosystem}}/{{webhook.alert.number}}',
      },
    },
    custom: {
      action: { template: '{{webhook.action}}' },
      package: { template: '{{webhook.alert.dependency.package.name}}' },
      advisory: { template: '{{webhook.alert.security_advisory.ghsa_id}}' },
      link: { template: '{{webhook.alert.html_url}}' },
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
    },
  ],
} satisfies CatalogueSource;
