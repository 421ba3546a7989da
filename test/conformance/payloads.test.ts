import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findSource } from '../../workers/mapping/catalogue/index.js';
import { type NormalizedAlert, normalize, REQUIRED_FIELDS } from '../../workers/mapping/index.js';
import { compiled, valuesOf } from '../workers/mapping/mapping.js';
import { EXPECTED, UNCLAIMED } from './payload-alerts.js';

/** Other people's payloads of alert sources, each through the template that claims it. */
const DATA = join(import.meta.dirname, '../../../shared/data/payloads');

const present = existsSync(DATA);
const when = present ? describe : describe.skip;
const reason = present ? '' : ' (skipped: ../shared/data/payloads is not there)';

function alertsOf(file: string, source: string): NormalizedAlert[] {
  const { mapping } = findSource(source) ?? { mapping: null };
  const { eventState, alerts, warnings } = normalize(compiled(mapping), readFileSync(join(DATA, `${file}.json`)));
  expect({ eventState, warnings }).toEqual({ eventState: 'normalized', warnings: [] });
  return alerts;
}

when(`payloads of real shape${reason}`, () => {
  const rows = Object.entries(EXPECTED).map(([file, { source, alerts }]) => [file, source, alerts] as const);

  test.each(rows)('%s by %s', (file, source, expected) => {
    const alerts = alertsOf(file, source);
    expect(alerts.map(valuesOf)).toEqual(expected);
    for (const alert of alerts) expectSound(alert);
  });

  test('every file is claimed by a template, or named as one that is not', () => {
    const files = readdirSync(DATA).filter((file) => file.endsWith('.json'));
    expect(files.map((file) => file.slice(0, -5)).sort()).toEqual([...Object.keys(EXPECTED), ...UNCLAIMED].sort());
    expect(rows.length).toBeGreaterThanOrEqual(35);
  });
});

function expectSound({ state, fields, custom, faults }: NormalizedAlert): void {
  expect({ state, faults }).toEqual({ state: 'complete', faults: [] });
  for (const name of REQUIRED_FIELDS) expect(['resolved', 'defaulted']).toContain(fields[name].result);
  expect(['critical', 'error', 'warning', 'info']).toContain(fields.severity.value);
  for (const { value } of [...Object.values(fields), ...Object.values(custom)]) {
    if (value !== null) expect(value).not.toMatch(/\[object|&gt;|&quot;|&amp;|\{\{|^\s*$/);
  }
}
