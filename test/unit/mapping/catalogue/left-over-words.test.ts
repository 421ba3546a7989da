import { expect, test } from '@jest/globals';
import { catalogue } from '../../../../workers/mapping/catalogue/index.js';
import { normalizeValue } from '../../../../workers/mapping/index.js';
import { compiled } from '../mapping.js';
import { changed, placesOf } from './places.js';
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
