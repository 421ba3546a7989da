import { expect, test } from '@jest/globals';
import { NEW_STATE, seeEvent } from '../../../workers/drift/drift-state.js';
import { readEvent } from '../../../workers/drift/see-event.js';
import { catalogue } from '../../../workers/mapping/catalogue/index.js';
import {
  type CompiledMapping,
  type JsonValue,
  lookedUpPaths,
  renamedPath,
} from '../../../workers/mapping/index.js';
import { compiled } from '../mapping/mapping.js';

const pause = async () => {};

const seen = async (mapping: CompiledMapping, payload: JsonValue, at: number) => {
  const place = { id: `${at}`, receivedAt: new Date(at) };
  return readEvent(
    mapping,
    place,
    { raw: Buffer.from(JSON.stringify(payload)), request: null, lookups: null },
    pause,
  );
};

/** Returns a payload with each key of a name spelled in another way. */
function renamed(value: JsonValue, from: string, to: string): JsonValue {
  if (Array.isArray(value)) return value.map((element) => renamed(element, from, to));
  if (
    typeof value !== 'object' ||
    value === null ||
    !('constructor' in value && value.constructor === Object)
  )
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key === from ? to : key, renamed(inner, from, to)]),
  );
}

const counts = { lost: 0, proposed: 0 };

const sources = catalogue.filter(({ sample }) => typeof sample === 'object' && sample !== null);

test.each(sources.map((source) => [source.name, source] as const))(
  '%s: a key that the sender renames is noticed, with every path through it',
  async (_, { mapping: stored, sample }) => {
    const mapping = compiled(stored);
    const before = await seen(mapping, sample, 0);
    const found = new Set(before?.paths.flatMap(({ path, found }) => (found ? path : [])));
    const keys = [...new Set([...found].flatMap((path) => /\.([A-Za-z]\w{3,})$/.exec(path)?.[1] ?? []))];
    expect(lookedUpPaths(mapping).length).toBeGreaterThan(0);
    for (const key of keys.slice(0, 3)) {
      const changed = renamed(sample, key, `the_${key}`);
      const after = await seen(mapping, changed, 1);
      if (!before || !after) continue;
      const lost = new Set(
        after.paths.flatMap(({ path, found: isFound }) => (!isFound && found.has(path) ? path : [])),
      );
      let state = NEW_STATE;
      const signs = [];
      for (let at = 0; at < 30; at++) {
        const event = at < 8 ? before : after;
        const next = seeEvent(state, { ...event, at, id: `${at}` });
        state = next.state;
        signs.push(...next.signs);
      }
      const paths = signs.flatMap(({ problem }) => (problem.kind === 'path' ? [problem.path] : []));
      expect(new Set(paths)).toEqual(lost);
      for (const path of lost) {
        const proposed = renamedPath(mapping, path, { before: sample, after: changed });
        if (proposed !== null) expect(proposed).toContain(`.the_${key}`);
        counts.proposed += proposed === null ? 0 : 1;
        counts.lost += 1;
      }
    }
  },
);

test('a word of the owner, which is personal data, is left out', async () => {
  const values = { template: '{{webhook.by}}', values: { a: 'a@example.com' } };
  const mapping = compiled({ fields: { ownerEmail: values, team: values } });
  const event = await seen(mapping, { by: 'eva@example.com' }, 0);
  expect(event?.words).toEqual([{ field: 'team', unknown: ['eva@example.com'] }]);
});

test('of what was renamed, nearly all is proposed', () => {
  expect(counts.lost).toBeGreaterThan(100);
  expect(counts.proposed).toBeGreaterThan(0.9 * counts.lost);
});
