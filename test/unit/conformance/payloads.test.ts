import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findSource } from '../../../workers/mapping/catalogue/index.js';
import {
  type CompiledMapping,
  type JsonValue,
  type Normalized,
  type NormalizedAlert,
  normalize,
  normalizeValue,
  parsePayload,
  REQUIRED_FIELDS,
} from '../../../workers/mapping/index.js';
import { compiled, valuesOf } from '../mapping/mapping.js';

/** Third-party payloads of alert sources, each mapped by the template that matches it. */
const DATA = join(import.meta.dirname, '../../../../shared/data/payloads');

/** The result of a payload: the template, and the fields that have a value. */
interface PayloadAlerts {
  source: string;
  /** Keys that lead to what the source itself sends, where the file holds it as somebody else's program kept it. */
  inside?: string[];
  alerts: Record<string, string>[];
}

/** By the file's name; each was compared with its payload by eye. */
const EXPECTED: Record<string, PayloadAlerts> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'payload-alerts.json'), 'utf8'),
);

const present = existsSync(DATA);
const when = present ? describe : describe.skip;
const reason = present ? '' : ' (skipped: ../shared/data/payloads is not there)';

function alertsOf(file: string, { source, inside = [] }: PayloadAlerts): NormalizedAlert[] {
  const mapping = compiled(findSource(source)?.mapping);
  const { eventState, alerts, warnings } = normalizeFile(mapping, file, inside);
  expect({ eventState, warnings }).toEqual({ eventState: 'normalized', warnings: [] });
  return alerts;
}

function normalizeFile(mapping: CompiledMapping, file: string, inside: string[]): Normalized {
  const bytes = readFileSync(join(DATA, `${file}.json`));
  if (inside.length === 0) return normalize(mapping, bytes);
  const parsed = parsePayload(bytes) as { value: JsonValue };
  const unwrapped = inside.reduce(
    (value, key) => (value as Record<string, JsonValue>)[key] as JsonValue,
    parsed.value,
  );
  return normalizeValue(mapping, unwrapped);
}

when(`payloads of real shape${reason}`, () => {
  test.each(Object.entries(EXPECTED))('%s', (file, expected) => {
    const alerts = alertsOf(file, expected);
    expect(alerts.map(valuesOf)).toEqual(expected.alerts);
    for (const alert of alerts) expectSound(alert);
    if (file !== UNRENDERED) for (const alert of alerts) expectSeverity(alert);
  });

  test('a payload of a sender with an unfilled template has a warning', () => {
    const [alert] = alertsOf(UNRENDERED, EXPECTED[UNRENDERED] as PayloadAlerts);
    for (const name of ['title', 'severity', 'description', 'service'] as const) {
      const codes = alert?.fields[name].warnings.map(({ code }) => code);
      expect(codes).toContain('unexpanded_macro');
    }
  });

  test('every file matches a template', () => {
    const files = readdirSync(DATA).filter((file) => file.endsWith('.json'));
    expect(files.map((file) => file.slice(0, -5)).sort()).toEqual(Object.keys(EXPECTED).sort());
  });
});

const UNRENDERED = 'appdynamics_unrendered';

function expectSound({ state, fields, custom, faults }: NormalizedAlert): void {
  expect({ state, faults }).toEqual({ state: 'complete', faults: [] });
  for (const name of REQUIRED_FIELDS) expect(['resolved', 'defaulted']).toContain(fields[name].result);
  for (const { value } of [...Object.values(fields), ...Object.values(custom)]) {
    if (value !== null) expect(value).not.toMatch(/\[object|&gt;|&quot;|&amp;|\{\{|^\s*$/);
  }
}

function expectSeverity({ fields: { severity } }: NormalizedAlert): void {
  expect(['critical', 'error', 'warning', 'info']).toContain(severity.value);
}
