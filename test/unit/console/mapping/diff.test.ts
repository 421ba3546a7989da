import { expect, test } from '@jest/globals';
import type { Mapping } from '../../../../api/console/http/types.ts';
import { countChanges, diffDrafts } from '../../../../api/console/mapping/model/draft/diff.ts';
import { toDraft } from '../../../../api/console/mapping/model/draft/draft.ts';

const diff = (before: Mapping, after: Mapping) => diffDrafts(toDraft(before), toDraft(after));

test('equal mappings have no differences, however they are written', () => {
  expect(
    diff({ split: 'alerts', fields: {} }, { split: 'webhook.alerts', fields: { title: { template: '' } } }),
  ).toEqual([]);
});

test('every difference has its part before and after', () => {
  const changes = diff(
    {
      fields: {
        severity: { template: '{{webhook.a}}', default: 'info', values: { P1: 'critical', P2: 'error' } },
      },
    },
    {
      fields: {
        severity: { template: '{{webhook.b}}', values: { P1: 'critical', P2: 'warning', P3: 'info' } },
      },
    },
  );
  expect(changes).toEqual([
    {
      label: 'Severity',
      target: 'fields.severity',
      parts: [
        { part: 'Template', before: '{{webhook.a}}', after: '{{webhook.b}}' },
        { part: 'Default', before: 'info', after: null },
        { part: 'Value “P2”', before: 'error', after: 'warning' },
        { part: 'Value “P3”', before: null, after: 'info' },
      ],
    },
  ]);
  expect(countChanges(changes)).toBe(4);
});

test('values named like properties of Object are compared like any other', () => {
  const values = JSON.parse('{"constructor":"a","toString":"b"}');
  const [change] = diff({ fields: { team: {} } }, { fields: { team: { values } } });
  expect(change?.parts).toEqual([
    { part: 'Value “constructor”', before: null, after: 'a' },
    { part: 'Value “toString”', before: null, after: 'b' },
  ]);
});

test('differences in the split, expanded JSON texts, and added or removed custom fields', () => {
  const changes = diff(
    { expandJson: ['Message'], fields: {}, custom: { old: { template: 'x' }, kept: { template: 'a' } } },
    { split: 'alerts', fields: {}, custom: { kept: { template: 'b' }, fresh: {} } },
  );
  expect(
    changes.map(({ label, parts }) => [
      label,
      ...parts.map(({ part, before, after }) => [part, before, after]),
    ]),
  ).toEqual([
    ['Split', ['List', null, 'webhook.alerts']],
    ['Expanded JSON texts', ['Paths', 'Message', null]],
    ['Custom field old', ['Field', 'old', null], ['Template', 'x', null]],
    ['Custom field kept', ['Template', 'a', 'b']],
    ['Custom field fresh', ['Field', null, 'fresh']],
  ]);
});
