import { expect, test } from '@jest/globals';
import { catalogue } from '../../../../workers/mapping/catalogue/index.js';
import { type JsonValue, normalizeValue } from '../../../../workers/mapping/index.js';
import { isObject } from '../../../../workers/mapping/values/json-value.js';
import { compiled } from '../mapping.js';
import { readStories } from './read-stories.js';

const STORIES = await readStories();

/** Payloads of a template that are changed, besides its samples. */
const MAX_PAYLOADS = 1;

/** What a text looks like in which the value of a tag is missing, and an object that JavaScript made a text. */
const LEFT_OVER = [
  /^(?:is|on|of|in|from|by|to)\b/,
  /\b(?:is|on|of|from|by|to|with)$/,
  /^[:,;.)(-]/,
  /[:,;(-]$/,
  /\( *\)|\( | \)| [:,]/,
  / {2}/,
  /\[object Object\]|\bundefined\b|\{\{/,
];

/** What a sender should never lack: a problem without its title, a check without its host. */
const ALLOWED = [
  'grafana title', // Labels with an empty value.
  'alertmanager title',
  'nagios title',
  'sentry-event-alert description',
  'sentry-issue description',
  'sentry-metric-alert description',
];

type Step = string | number;

function placesOf(value: JsonValue, path: Step[] = []): Step[][] {
  const entries: [Step, JsonValue][] = Array.isArray(value)
    ? value.slice(0, 2).map((element, index) => [index, element])
    : isObject(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([key, inner]) => [[...path, key], ...placesOf(inner, [...path, key])]);
}

/** Returns the value with another one at a place, or without it. */
function changed(value: JsonValue, [key, ...rest]: Step[], to: JsonValue | undefined): JsonValue {
  const copy = structuredClone(value) as Record<Step, JsonValue>;
  const inner = copy[key as Step] as JsonValue;
  if (rest.length > 0) copy[key as Step] = changed(inner, rest, to);
  else if (to === undefined && !Array.isArray(value)) delete copy[key as Step];
  else copy[key as Step] = to ?? null;
  return copy as unknown as JsonValue;
}

test.each(catalogue.map((source) => [source.name, source] as const))(
  '%s: a missing value leaves no words and no punctuation behind',
  (name, { mapping, sample, otherSamples = [] }) => {
    const one = compiled(mapping);
    const sent = (STORIES.get(name) ?? []).flatMap(({ steps }) => steps.map(([, payload]) => payload));
    const found = new Set<string>();
    for (const payload of [sample, ...otherSamples, ...sent.slice(0, MAX_PAYLOADS)]) {
      const verbatim = JSON.stringify(payload);
      for (const place of placesOf(payload)) {
        for (const to of [undefined, '']) {
          for (const { fields } of normalizeValue(one, changed(payload, place, to)).alerts) {
            for (const field of ['title', 'description'] as const) {
              const text = fields[field].value;
              if (text === null || verbatim.includes(JSON.stringify(text).slice(1, -1))) continue;
              if (LEFT_OVER.some((pattern) => pattern.test(text)) && !ALLOWED.includes(`${name} ${field}`))
                found.add(`${field} "${text}" without ${place.join('.')}`);
            }
          }
        }
      }
    }
    expect([...found]).toEqual([]);
  },
);
