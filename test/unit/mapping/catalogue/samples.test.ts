import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { catalogue, findSource } from '../../../../workers/mapping/catalogue/index.js';
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

/** A sample without a key is one of the events that the source's mapping leaves alone. */
function expectClean({ state, faults, fields, series }: NormalizedAlert): void {
  expect({ state, faults }).toEqual({ state: 'complete', faults: [] });
  const { dedupKey, ...others } = fields;
  for (const { warnings } of Object.values(others)) expect(warnings).toEqual([]);
  const codes = dedupKey?.warnings.map(({ code }) => code) ?? [];
  expect(codes).toEqual(dedupKey && !series ? ['missing_dedup_key'] : []);
}
