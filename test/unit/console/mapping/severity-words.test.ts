import { expect, test } from '@jest/globals';
import type { WebhookTemplate } from '../../../../api/console/http/types.js';
import { countUnknown, proposeSeverity } from '../../../../api/console/mapping/model/severity-words.js';

const template = (values: Record<string, string>) =>
  ({ mapping: { fields: { severity: { values } } } }) as unknown as WebhookTemplate;

test('severities that Muster does not know are counted, most frequent first', () => {
  const seen = ['P1', 'critical', 'SEV3', 'SEV3', 'Warning', null, undefined];
  expect(countUnknown(seen)).toEqual([
    { severity: 'SEV3', count: 2 },
    { severity: 'P1', count: 1 },
  ]);
});

test.each([
  ['P1', 'critical'],
  ['sev-0', 'critical'],
  ['SEV3', 'warning'],
  ['Priority 5', 'info'],
  ['page', 'critical'],
  ['High', 'error'],
  ['purple', ''],
])('for %s, %j is proposed', (word, severity) => {
  const templates = [
    template({ page: 'critical', high: 'error' }),
    template({ HIGH: 'error' }),
    template({ high: 'info' }),
  ];
  expect(proposeSeverity(word, templates)).toBe(severity);
});
