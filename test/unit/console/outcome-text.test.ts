import { expect, test } from '@jest/globals';
import { describeOutcomes, keysWithoutAlert } from '../../../api/console/events/outcome-text.js';

const ALERT = '01a1f89d-7a9c-710a-951d-f86812498001';
const outcome = (outcome: 'opened' | 'updated' | 'resolved' | 'nothing_to_resolve', dedupKey = 'k') => ({
  item: 0,
  dedupKey,
  status: 'firing' as const,
  outcome,
  alertId: outcome === 'nothing_to_resolve' ? null : ALERT,
});

test.each([
  [['opened'], 'Opened this alert'],
  [['updated', 'updated'], 'Updated this alert'],
  [['opened', 'resolved'], 'Opened and resolved this alert'],
  [['opened', 'updated', 'resolved'], 'Opened, updated, and resolved this alert'],
  [['nothing_to_resolve'], null],
  [[], null],
] as const)('the outcomes %j of an alert are described as %j', (outcomes, text) => {
  expect(
    describeOutcomes(
      outcomes.map((one) => outcome(one)),
      ALERT,
    ),
  ).toBe(text);
});

test('the outcomes of other alerts are not described', () => {
  expect(describeOutcomes([outcome('opened')], '01a1f89d-7a9c-710a-951d-f86812498002')).toBeNull();
});

test('names each key that had nothing to resolve once', () => {
  const outcomes = [
    outcome('nothing_to_resolve', 'a'),
    outcome('opened', 'b'),
    outcome('nothing_to_resolve', 'a'),
  ];
  expect(keysWithoutAlert(outcomes)).toEqual(['a']);
});
