import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const dependency = (action: string, number: number, state: string, updated_at: string): JsonValue => ({
  action,
  alert: {
    number,
    state,
    dependency: { package: { ecosystem: 'pip', name: 'sluggish' }, manifest_path: 'requirements.txt' },
    security_advisory: {
      ghsa_id: 'GHSA-aaaa-bbbb-cccc',
      summary: 'sluggish reads files of others',
      description: 'Versions before 3.0 follow links.',
      severity: 'medium',
    },
    security_vulnerability: { severity: 'medium' },
    created_at: '2026-03-01T08:00:00Z',
    updated_at,
  },
  repository: { id: 12, name: 'basket', full_name: 'example/basket' },
});

const vulnerability = (action: string, id: number, name: string): JsonValue => ({
  action,
  alert: {
    id,
    affected_range: '< 1.2',
    affected_package_name: name,
    external_reference: 'https://example.com/CVE-0000-2',
    external_identifier: 'CVE-0000-2',
    fixed_in: '1.2',
  },
  repository: { id: 12, name: 'basket', full_name: 'example/basket' },
});

const alert = { source: 'GitHub Dependabot', service: 'example/basket', environment: null };

const SLUGGISH = {
  ...alert,
  title: 'sluggish reads files of others',
  severity: 'warning',
  description: 'Versions before 3.0 follow links.',
};

export default [
  {
    what: 'an alert is created, fixed, created late, and reintroduced, and another one is assigned',
    shape: 'octokit/webhooks payload-examples/api.github.com/dependabot_alert',
    steps: [
      ['pinged', { zen: 'Keep it simple.', hook_id: 1, hook: { id: 1 }, repository: { id: 12 } }],
      ['created', dependency('created', 5, 'open', '2026-03-01T08:00:00Z')],
      ['another alert', dependency('created', 6, 'open', '2026-03-01T08:00:00Z')],
      ['fixed', dependency('fixed', 5, 'fixed', '2026-03-02T08:00:00Z')],
      ['delivered late', dependency('created', 5, 'open', '2026-03-01T08:00:00Z')],
      ['assigned', dependency('assignees_changed', 6, 'open', '2026-03-02T09:00:00Z')],
      ['reintroduced', dependency('reintroduced', 5, 'open', '2026-03-03T08:00:00Z')],
    ],
    alerts: [
      { ...SLUGGISH, status: 'resolved', eventCount: 2 },
      { ...SLUGGISH, status: 'firing', eventCount: 2 },
      { ...SLUGGISH, status: 'firing', eventCount: 1 },
    ],
  },
  {
    what: 'a vulnerability alert of an earlier version is created and dismissed',
    shape: 'octokit/webhooks payload-examples/api.github.com/repository_vulnerability_alert',
    steps: [
      ['created', vulnerability('create', 71, 'slow_gem')],
      ['another alert', vulnerability('create', 72, 'fast_gem')],
      ['dismissed', vulnerability('dismiss', 71, 'slow_gem')],
    ],
    alerts: [
      {
        ...alert,
        title: 'Vulnerability in slow_gem',
        severity: 'error',
        description: 'slow_gem < 1.2: CVE-0000-2',
        status: 'resolved',
        eventCount: 2,
      },
      {
        ...alert,
        title: 'Vulnerability in fast_gem',
        severity: 'error',
        description: 'fast_gem < 1.2: CVE-0000-2',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
