import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { catalogue, findSource } from '../../../../workers/mapping/catalogue/index.js';
import type { CatalogueSource } from '../../../../workers/mapping/catalogue/source.js';
import { ALERT_FIELDS, type NormalizedAlert } from '../../../../workers/mapping/index.js';
import { run, valuesOf } from '../mapping.js';

const sources = catalogue.map((source) => [source.name, source] as const);

test('every file contains the source that it is named after', () => {
  const files = readdirSync('workers/mapping/catalogue/sources').map((file) => file.replace('.ts', ''));
  expect(catalogue.map(({ name }) => name)).toEqual(files.sort());
  expect(catalogue.length).toBeGreaterThanOrEqual(35);
  expect(new Set(catalogue.map(({ title }) => title)).size).toBe(catalogue.length);
  expect(findSource('datadog')?.title).toBe('Datadog monitor');
  expect(findSource('constructor')).toBeUndefined();
});

test.each([
  ['alertmanager', ['send_resolved: true', 'max_alerts: 0']],
  ['grafana', ['HTTP Method: POST', 'Max Alerts', 'Custom Payload', 'Disable resolved message']],
  ['uptime-kuma', ['Request Body: Preset - application/json', 'POST']],
] as const)('%s: names the options of its webhook', (name, options) => {
  for (const option of options) expect(findSource(name)?.options).toContain(option);
});

test.each(sources)('%s: its sample becomes the expected alerts', (_, { sample, mapping, expected }) => {
  const { eventState, alerts, warnings } = run(mapping, sample);
  expect({ eventState, warnings }).toEqual({ eventState: 'normalized', warnings: [] });
  expect(alerts.map(valuesOf)).toEqual(expected);
  for (const alert of alerts) expectClean(alert);
});

test.each(sources)(
  '%s: has a link and one of our severities, and its sample fills every mapped field',
  (_, source) => {
    const { documentation, sample, mapping, expected } = source;
    expect(documentation).toMatch(/^https:\/\//);
    for (const { severity } of expected) expect(['critical', 'error', 'warning', 'info']).toContain(severity);
    const { alerts } = run(mapping, sample);
    const filled = new Set(alerts.flatMap((alert) => Object.keys(valuesOf(alert))));
    const unseen = ALERT_FIELDS.filter((name) => mapping.fields[name] && !filled.has(name));
    expect(unseen.filter((name) => !['environment', 'team', 'service'].includes(name))).toEqual([]);
  },
);

const LABELS = { alertname: 'Slow', instance: 'db-3', env: 'prod', rulename: 'Slow' };
/** Labels in which two alerts of one notification differ, and that mostly say nothing about the problem. */
const DIFFERENCES: [labels: Record<string, string>, others: Record<string, string>][] = [
  ...[
    'severity',
    'service',
    'job',
    'uid',
    'team',
    'replica',
    'app_kubernetes_io_name',
    'ref_id',
    '__alert_rule_uid__',
  ].map((name): [Record<string, string>, Record<string, string>] => [{ [name]: 'a' }, { [name]: 'b' }]),
  [{ paged: 'true' }, { paged: 'false' }],
  [{ env: 'prod' }, { env: 'test' }],
  [{ service: 'shop' }, {}],
  [{}, { service: 'shop' }],
];

test.each(['alertmanager', 'grafana'].flatMap((name) => DIFFERENCES.map((pair) => [name, ...pair] as const)))(
  '%s: two alerts of a notification have different texts that differ in %j and %j',
  (name, ...pair) => {
    const mapping = findSource(name)?.mapping as CatalogueSource['mapping'];
    const alert = (labels: object) => ({
      status: 'firing',
      labels: { ...LABELS, ...labels },
      annotations: { summary: 'Slow' },
      startsAt: '2026-03-01T08:00:00Z',
      fingerprint: JSON.stringify(labels),
    });
    // The first alert differs from both.
    for (const first of [[], [{ severity: 'c', service: 'c', job: 'c', uid: 'c', env: 'c', paged: 'c' }]]) {
      const alerts = [...first, ...pair].map(alert);
      const payload = { alerts, groupLabels: { alertname: 'Slow' }, commonLabels: {} };
      const texts = run(mapping, payload).alerts.map(
        ({ fields }) => `${fields.title.value}|${fields.description.value}`,
      );
      expect(new Set(texts).size).toBe(alerts.length);
    }
  },
);

test.each(['alertmanager', 'grafana'])('%s: an alert without labels has its text as description', (name) => {
  const mapping = findSource(name)?.mapping as CatalogueSource['mapping'];
  const { alerts } = run(mapping, { alerts: [{ status: 'firing', annotations: { summary: 'Slow' } }] });
  expect(alerts[0]?.fields.description.value).toBe('Slow');
});

/** A sample without a key is one of the events that the source's mapping leaves alone. */
function expectClean({ state, faults, fields, series }: NormalizedAlert): void {
  expect({ state, faults }).toEqual({ state: 'complete', faults: [] });
  const { dedupKey, ...others } = fields;
  for (const { warnings } of Object.values(others)) expect(warnings).toEqual([]);
  const codes = dedupKey?.warnings.map(({ code }) => code) ?? [];
  expect(codes).toEqual(dedupKey && !series ? ['missing_dedup_key'] : []);
}
