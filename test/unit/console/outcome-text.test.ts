import { expect, test } from '@jest/globals';
import { describeOutcomes, keysWith } from '../../../api/console/events/outcome-text.js';

const ALERT = '01a1f89d-7a9c-710a-951d-f86812498001';
const outcome = (outcome: Parameters<typeof keysWith>[1], dedupKey = 'k') => ({
  item: 0,
  dedupKey,
  status: 'firing' as const,
  outcome,
  alertId: outcome in { opened: 1, updated: 1, resolved: 1 } ? ALERT : null,
});

test.each([
  [['opened'], 'Opened this alert'],
  [['updated', 'updated'], 'Updated this alert'],
  [['opened', 'resolved'], 'Opened and resolved this alert'],
  [['opened', 'updated', 'resolved'], 'Opened, updated, and resolved this alert'],
  [['nothing_to_resolve'], null],
  [['nothing_to_update', 'outdated'], null],
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

test('names each key with an outcome once', () => {
  const outcomes = [
    outcome('nothing_to_resolve', 'a'),
    outcome('opened', 'b'),
    outcome('outdated', 'c'),
    outcome('nothing_to_resolve', 'a'),
  ];
  expect(keysWith(outcomes, 'nothing_to_resolve')).toEqual(['a']);
  expect(keysWith(outcomes, 'outdated')).toEqual(['c']);
});
