import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { catalogue } from '../../../workers/mapping/catalogue/index.js';
import {
  type JsonValue,
  parsePayload,
  prepareTemplate,
  Recognizer,
  tryTemplate,
} from '../../../workers/mapping/index.js';
import { compiled } from '../mapping/mapping.js';

/** Third-party payloads of alert sources. None of them had a part in how templates are recognized. */
const DATA = join(import.meta.dirname, '../../../../shared/data/payloads');
const when = existsSync(DATA) ? describe : describe.skip;
const reason = existsSync(DATA) ? '' : ' (skipped: ../shared/data/payloads is not there)';

/** The template of each file, and the keys that lead to what the source itself sends. */
const EXPECTED: Record<string, { source: string; inside?: string[] }> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'payload-alerts.json'), 'utf8'),
);

const prepared = catalogue.map(({ name, mapping, sample }) =>
  prepareTemplate({ name, sample, mapping: compiled(mapping) }),
);
const recognizer = new Recognizer(prepared);

function payloadOf(file: string, inside: readonly string[]): JsonValue {
  const parsed = parsePayload(readFileSync(join(DATA, `${file}.json`))) as { value: JsonValue };
  return inside.reduce((value, key) => (value as Record<string, JsonValue>)[key] as JsonValue, parsed.value);
}

when(`payloads of real shape${reason}`, () => {
  test.each(Object.entries(EXPECTED))('%s ranks its own source first', (file, { source, inside = [] }) => {
    const payload = payloadOf(file, inside);
    const tried = recognizer.resembling(payload).map((one) => tryTemplate(one, { payload }));
    const [best, next] = tried.sort((a, b) => b.score - a.score);
    expect(best?.template.name).toBe(source);
    expect(best?.score).toBeGreaterThanOrEqual(0.6);
    expect(best?.score).toBeGreaterThan((next?.score ?? 0) + 0.03);
  });
});
