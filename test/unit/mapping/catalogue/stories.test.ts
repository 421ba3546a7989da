import { describe, expect, test } from '@jest/globals';
import { catalogue, findSource } from '../../../../workers/mapping/catalogue/index.js';
import type { CatalogueSource } from '../../../../workers/mapping/catalogue/source.js';
import { readStories } from './read-stories.js';
import type { Story } from './story.js';
import { Timeline } from './timeline.js';

const STORIES: ReadonlyMap<string, readonly Story[]> = await readStories();

test('every template has at least two stories', () => {
  const names = catalogue.map(({ name }) => name);
  expect([...STORIES.keys()].sort()).toEqual(names);
  expect(names.filter((name) => (STORIES.get(name) ?? []).length < 2)).toEqual([]);
});

describe.each([...STORIES])('%s', (name, stories) => {
  const { mapping, recovery } = findSource(name) as CatalogueSource;

  if (recovery !== undefined) {
    test('a story ends a problem', () => {
      expect(stories.flatMap(({ alerts }) => alerts).map(({ status }) => status)).toContain('resolved');
    });
  }

  test.each(stories.map((story) => [story.what, story] as const))('%s', (_, { steps, headers, alerts }) => {
    const timeline = new Timeline(mapping);
    const request = { method: 'POST', contentType: 'application/json', query: {}, headers: headers ?? {} };
    for (const [, payload] of steps) timeline.add(payload, request);
    const shown = timeline.all.map(({ key, state, team, ownerEmail: _owner, ...alert }, index) =>
      alerts[index]?.team === undefined ? alert : { ...alert, team },
    );
    expect(shown).toEqual(alerts.map((alert) => ({ resolution: null, ...alert })));
    for (const texts of timeline.texts) expect(texts).toEqual([...new Set(texts)]);
  });
});
