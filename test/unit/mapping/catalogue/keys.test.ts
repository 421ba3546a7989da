import { describe, expect, test } from '@jest/globals';
import { catalogue } from '../../../../workers/mapping/catalogue/index.js';
import { type CompiledMapping, type JsonValue, normalizeValue } from '../../../../workers/mapping/index.js';
import { compiled } from '../mapping.js';
import { changed, placesOf, type Step } from './places.js';
import { readStories } from './read-stories.js';

const STORIES = await readStories();

const keyOf = (mapping: CompiledMapping, payload: JsonValue): string | null =>
  normalizeValue(mapping, payload).alerts[0]?.series?.dedupKey ?? null;

/** Returns the places of a payload whose text is a part of its key. */
function partsOf(mapping: CompiledMapping, payload: JsonValue): Step[][] {
  const key = keyOf(mapping, payload);
  if (key === null) return [];
  return placesOf(payload).filter((place) =>
    keyOf(mapping, changed(payload, place, 'other-part'))?.includes('other-part'),
  );
}

const KEYED = catalogue
  .filter(({ mapping }) => mapping.fields.dedupKey !== undefined)
  .map(({ name, mapping, sample, otherSamples = [] }) => {
    const one = compiled(mapping);
    const sent = (STORIES.get(name) ?? []).map(({ steps }) => steps[0]?.[1] as JsonValue);
    const payloads = [sample, ...otherSamples, ...sent];
    return { name, one, keyed: payloads.map((payload) => ({ payload, parts: partsOf(one, payload) })) };
  });

/** Two values of a part and of another one. Undefined: the part is missing. */
const PAIRS: readonly (readonly [string, string | undefined])[] = [
  ['a/b', 'c'],
  ['a', 'b/c'],
  ['a~1b', 'c'],
  ['a', 'b~1c'],
  ['a//b', 'c'],
  ['a/b/c', undefined],
  ['a', 'host'],
  ['a', undefined],
  ['a/host', undefined],
  ['a/c', undefined],
  ['a', 'c'],
  ['a/', 'c'],
  ['a', '/c'],
];

/** As Nagios, Zabbix, SolarWinds, Site24x7, Checkmk and LogicMonitor write them. */
const MACROS = [
  ...['$HOSTNAME$', '$SERVICEDESC$', '{HOST.NAME}', `\${N=SwisEntity;M=Caption}`, '$MONITOR_ID'],
  ...['$NOTIFY_HOSTNAME$', '##ALERTID##'],
];

const isInside = (one: Step[], other: Step[]): boolean => one.every((step, at) => other[at] === step);

describe.each(KEYED.map((source) => [source.name, source] as const))('%s', (_, { one, keyed }) => {
  test('different parts never give one key', () => {
    for (const { payload, parts } of keyed) {
      for (const [at, first] of parts.entries()) {
        for (const second of parts.slice(at + 1)) {
          if (isInside(first, second)) continue;
          const keys = PAIRS.map(([one_, other]) =>
            keyOf(one, changed(changed(payload, first, one_), second, other)),
          ).filter((key) => key !== null);
          expect({ first, second, keys }).toEqual({ first, second, keys: [...new Set(keys)] });
        }
      }
    }
  });

  test('no key has a macro that the sender did not expand', () => {
    for (const macro of MACROS) {
      for (const { payload, parts } of keyed) {
        for (const place of parts) {
          const key = keyOf(one, changed(payload, place, macro));
          expect({ place, key: key?.includes(macro) ? key : null }).toEqual({ place, key: null });
        }
      }
    }
  });
});

test('keys of several parts are found', () => {
  const several = KEYED.filter(({ keyed }) => keyed.some(({ parts }) => parts.length > 1));
  expect(several.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['nagios', 'cron', 'netdata', 'kibana']),
  );
});

test.each([
  ['prtg', 'sensorid', '%sensorid'],
  ['uptimerobot', 'monitorID', '*monitorID*'],
])('%s: a payload whose %s is the placeholder %s has no key', (source, name, placeholder) => {
  const { one, keyed } = KEYED.find((entry) => entry.name === source) as (typeof KEYED)[number];
  expect(keyOf(one, changed(keyed[0]?.payload as JsonValue, [name], placeholder))).toBeNull();
});
