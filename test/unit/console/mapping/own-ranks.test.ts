import { expect, test } from '@jest/globals';
import type { OwnSeverities } from '../../../../api/console/http/types.js';
import { diffDrafts } from '../../../../api/console/mapping/model/draft/diff.js';
import { toDraft, toMapping } from '../../../../api/console/mapping/model/draft/draft.js';
import {
  hasRank,
  rankableWords,
  rankedAs,
  withRank,
} from '../../../../api/console/mapping/model/draft/own-ranks.js';
import { countUnknown } from '../../../../api/console/mapping/model/severity-words.js';

const RANKS: OwnSeverities = [
  { word: 'P1', as: 'critical' },
  { word: 'P2', as: 'error' },
];

test('a word gets a rank, another one, and none', () => {
  expect(withRank(RANKS, ' P3', 'error')).toEqual([...RANKS, { word: 'P3', as: 'error' }]);
  expect(withRank(RANKS, 'p1', 'warning')).toEqual([{ word: 'P1', as: 'warning' }, RANKS[1]]);
  expect(withRank(RANKS, 'p1', null)).toEqual([RANKS[1]]);
  expect([rankedAs(RANKS, 'p2'), rankedAs(RANKS, 'P9')]).toEqual(['error', null]);
  expect([hasRank('Critical'), hasRank('p1', RANKS), hasRank('P1')]).toEqual([true, true, false]);
});

test('words of the value map that are not built in may have a rank', () => {
  expect(rankableWords(RANKS, ['Error', 'p1', 'P3', '', 'P3'])).toEqual(['P1', 'P2', 'P3']);
});

test('a draft keeps the ranks, shows their changes, and does not count ranked words as unknown', () => {
  const mapping = { fields: { severity: { template: '{{webhook.s}}', ranks: RANKS } } };
  expect(toMapping(toDraft(mapping))).toEqual(mapping);
  expect(
    diffDrafts(toDraft({ fields: { severity: { template: '{{webhook.s}}' } } }), toDraft(mapping)),
  ).toEqual([
    expect.objectContaining({
      target: 'fields.severity',
      parts: [{ part: 'Ranks', before: null, after: 'P1 as critical\nP2 as error' }],
    }),
  ]);
  expect(countUnknown(['P1', 'p2', 'P3', 'info'], RANKS)).toEqual([{ severity: 'P3', count: 1 }]);
});
