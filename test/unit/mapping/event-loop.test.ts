import { expect, test } from '@jest/globals';
import { findSource } from '../../../workers/mapping/catalogue/index.js';
import { type Mapping, normalize } from '../../../workers/mapping/index.js';
import { expandJson } from '../../../workers/mapping/payload/expand-json.js';
import { mostSimilarKey } from '../../../workers/mapping/suggest/similar-key.js';
import { Budget, BudgetExceeded } from '../../../workers/mapping/values/budget.js';
import { follow } from '../../../workers/mapping/values/lookup.js';
import { expectQuick } from '../../support/cpu-time.js';
import { bytes, compiled } from './mapping.js';

/** Normalizes and reads every suggestion, as a preview does. */
const preview = (mapping: Mapping, payload: object) => {
  const ready = compiled(mapping);
  const raw = bytes(payload);
  return () => JSON.stringify(normalize(ready, raw));
};

const ofSource = (name: string): Mapping => findSource(name)?.mapping as Mapping;

/** Returns a name of this many letters for each number. Each differs from the others in most letters. */
function name(number: number, length: number): string {
  let state = number + 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(97 + (state % 26));
  }).join('');
}
const names = (count: number, length: number, from = 0): string[] =>
  Array.from({ length: count }, (_, i) => name(from + i, length));
const keyed = (keys: string[]) => Object.fromEntries(keys.map((key) => [key, 1]));

const section =
  '{{#webhook.alerts}}{{webhook.commonLabels.severity}}: {{labels.alertname}}\n{{/webhook.alerts}}';
const long = names(57, 58, 1_000).map((path) => ({ template: `{{webhook.${path}}}` }));

const CASES: Record<string, [Mapping, object]> = {
  '20,000 elements of a section that look a name up in a text of 900,000 characters': [
    { fields: { description: { template: section } } },
    { alerts: Array(20_000).fill({}), commonLabels: 'severit '.repeat(112_500) },
  ],
  '200 keys of 5,000 characters for Sentry': [
    ofSource('sentry-event-alert'),
    keyed(names(200, 1).map((key, i) => `${'x-'.repeat(2_500)}${key}${i}`)),
  ],
  '57 fields with a path that is nearly 58 letters, over 200 such keys': [
    {
      fields: { title: long[0], severity: long[1], description: long[2], source: long[3], team: long[4] },
      custom: Object.fromEntries(long.slice(5, 55).map((field, i) => [`f${i}`, field])),
    },
    keyed(names(200, 58)),
  ],
  '120 items of 200 keys of 40 letters, with three wrong paths each': [
    {
      split: 'list',
      fields: Object.fromEntries(
        ['severity', 'description', 'source'].map((field, i) => [
          field,
          { template: `{{item.${name(5_000 + i, 40)}}}` },
        ]),
      ),
    },
    { list: Array(120).fill(keyed(names(200, 40))) },
  ],
  '1,000 items with keys of 1,000 characters': [
    {
      split: 'list',
      fields: { dedupKey: { template: '{{item.key}}' }, status: { template: '{{item.key}}' } },
    },
    { list: Array.from({ length: 1_000 }, (_, number) => ({ key: `${number}${'k'.repeat(1_000)}` })) },
  ],
};

test.each(Object.entries(CASES))('%s keep the event loop free', (_, [mapping, payload]) => {
  expectQuick(preview(mapping, payload));
});

test('74,000 messages without text for Amazon SNS keep the event loop free', () => {
  const payload = Array(74_000).fill({ Message: '' });
  const { expandJson: paths } = compiled(ofSource('cloudwatch-sns'));
  expect(paths).toHaveLength(1);
  expectQuick(() => expandJson(payload, paths));
});

/** Returns how many steps some work took, up to the limit. */
class CountingBudget extends Budget {
  steps = 0;

  override step(count = 1): void {
    this.steps += count;
    super.step(count);
  }
}

test('looking a name up in a text counts, even if the text does not contain the name', () => {
  const steps = (length: number) => {
    const budget = new CountingBudget();
    expect(follow({ text: 'x'.repeat(length) }, ['text', 'name'], budget)).toBeUndefined();
    return budget.steps;
  };
  expect(steps(10_000)).toBeGreaterThan(100);
  // Only the start of a long text is searched.
  expect(steps(900_000)).toBeLessThan(1_000);
});

test('a name is not found beyond the part of a text that is searched', () => {
  const text = `team:storage,${'x'.repeat(20_000)},env:production`;
  expect(follow({ text }, ['text', 'team'], new Budget())).toBe('storage');
  expect(follow({ text }, ['text', 'env'], new Budget())).toBeUndefined();
});

test('comparing names counts by the letters compared', () => {
  const steps = (length: number) => {
    const budget = new CountingBudget();
    expect(mostSimilarKey(name(500, length), names(200, length), budget)).toBeNull();
    return budget.steps;
  };
  expect(steps(12)).toBeLessThan(1_000);
  expect(steps(40)).toBeGreaterThan(200 * 20);
  expect(() =>
    names(10, 58, 900).map((wanted) => mostSimilarKey(wanted, names(200, 58), new Budget())),
  ).not.toThrow();
  const shared = new Budget();
  expect(() => names(10, 58, 900).map((wanted) => mostSimilarKey(wanted, names(200, 58), shared))).toThrow(
    BudgetExceeded,
  );
});

test('each key counts, even if its length alone rules it out', () => {
  const budget = new CountingBudget();
  expect(mostSimilarKey(name(500, 40), names(200, 12), budget)).toBeNull();
  expect(budget.steps).toBeGreaterThanOrEqual(200);
});

test.each([
  ['severity', 'sevreity'],
  ['severity', 'severty'],
  ['alert', 'alerts'],
  ['entry', 'entries'],
  ['service_name', 'serviceName'],
])('%s is still found for %s', (key, wanted) => {
  expect(mostSimilarKey(wanted, ['zone', key, `${key}${'x'.repeat(100)}`], new Budget())).toBe(key);
});
