import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
import { readStories } from '../mapping/catalogue/read-stories.js';
import { compiled } from '../mapping/mapping.js';

/** Third-party payloads of alert sources. None of them had a part in how templates are recognized. */
const DATA = join(import.meta.dirname, '../../../../shared/data/payloads');
const when = existsSync(DATA) ? describe : describe.skip;
const reason = existsSync(DATA) ? '' : ' (skipped: ../shared/data/payloads is not there)';

/** The template of each file, and the keys that lead to what the source itself sends. */
const EXPECTED: Record<string, { source: string; inside?: string[] }> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'payload-alerts.json'), 'utf8'),
);

const prepared = catalogue.map((source) => prepareTemplate({ ...source, mapping: compiled(source.mapping) }));
const recognizer = new Recognizer(prepared);

function payloadOf(file: string, inside: readonly string[]): JsonValue {
  const parsed = parsePayload(readFileSync(join(DATA, `${file}.json`))) as { value: JsonValue };
  return inside.reduce((value, key) => (value as Record<string, JsonValue>)[key] as JsonValue, parsed.value);
}

function recognize(payload: JsonValue) {
  const tried = recognizer.resembling(payload).map((one) => tryTemplate(one, { payload }));
  return tried.sort((a, b) => b.score - a.score);
}

when(`payloads of real shape${reason}`, () => {
  test.each(Object.entries(EXPECTED))('%s ranks its own source first', (file, { source, inside = [] }) => {
    const [best, next] = recognize(payloadOf(file, inside));
    expect(best?.template.name).toBe(source);
    expect(best?.score).toBeGreaterThanOrEqual(0.6);
    expect(best?.score).toBeGreaterThan((next?.score ?? 0) + 0.03);
  });
});

/** Payloads and the templates of their sources. */
type Sent = readonly [source: string, payload: JsonValue];

const STORIES: Sent[] = [...(await readStories())].flatMap(([source, stories]) =>
  stories.flatMap(({ steps }) => steps.map(([, payload]): Sent => [source, payload])),
);

/** The three kinds of Sentry webhooks have one mapping, a script of Zabbix sends what OnCall takes, and a generic template names no source. */
const isWrong = (source: string, name: string): boolean =>
  name !== source &&
  !name.startsWith('generic-') &&
  !(name.startsWith('sentry-') && source.startsWith('sentry-')) &&
  !(name === 'oncall' && source === 'zabbix');

/** Counts what becomes of payloads, each shape of a source once. */
function outcomes(sent: readonly Sent[]): { right: number; missed: number; wrong: string[] } {
  const result = { right: 0, missed: 0, wrong: [] as string[] };
  const distinct = new Map(sent.map((one) => [JSON.stringify(one), one]));
  for (const [source, payload] of distinct.values()) {
    const [best] = recognize(payload);
    if (!best || best.score < 0.6) result.missed += 1;
    else if (isWrong(source, best.template.name)) result.wrong.push(`${source} as ${best.template.name}`);
    else result.right += 1;
  }
  return result;
}

test('hardly an event of a story is not recognized, and none as that of another source', () => {
  const { right, missed, wrong } = outcomes(STORIES);
  expect(wrong).toEqual([]);
  expect(missed / (right + missed)).toBeLessThan(0.05);
});

const REPORTS = join(import.meta.dirname, '../../../../shared/data/reports/alerts');

/** The events of reports about a template, without those that a test makes in a loop. */
const reported = (folder: string): Sent[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
    .filter(({ template }) => template)
    .flatMap(({ template, events, steps }) =>
      (events ?? steps).flatMap(({ payload }: { payload?: JsonValue }) =>
        payload === undefined ? [] : [[template, payload] as Sent],
      ),
    );

(existsSync(REPORTS) ? test : test.skip)(
  'hardly an event of a public report is not recognized, and none wrongly',
  () => {
    const { right, missed, wrong } = outcomes([
      ...reported(REPORTS),
      ...reported(join(REPORTS, 'templates')),
    ]);
    expect(wrong).toEqual([]);
    expect(missed / (right + missed)).toBeLessThan(0.05);
  },
);
