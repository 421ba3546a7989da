import { expect, test } from '@jest/globals';
import { compareInWords, sharedChanges } from '../../../../api/console/mapping/model/comparison-text.ts';
import { rowError, toRows, toValues } from '../../../../api/console/mapping/model/draft/value-rows.ts';
import { errorsByField, withoutErrors } from '../../../../api/console/mapping/model/errors-by-field.ts';
import { findJsonError } from '../../../../api/console/mapping/model/json-error.ts';
import { previewBody } from '../../../../api/console/mapping/model/preview-body.ts';
import { remapInWords } from '../../../../api/console/mapping/model/remap-text.ts';

test('a remap in words, before and after', () => {
  const counts = {
    events: 12,
    failed: 1,
    alerts: 12,
    added: 0,
    changed: 10,
    unchanged: 1,
    completed: 9,
    removed: 1,
  };
  expect(remapInWords(counts, false)).toBe(
    'Of 12 events: 9 alerts would become complete, 1 alert would be changed and stay incomplete, 1 alert would be removed, ' +
      '1 alert would stay as they are. 1 could not be mapped and keep their alerts.',
  );
  expect(remapInWords({ events: 1_200, changed: 1_200, completed: 1_200 }, true)).toBe(
    'Of 1,200 events: 1,200 alerts became complete.',
  );
  expect(remapInWords({ events: 0 }, false)).toBe('No event is to be mapped again.');
});

test('a comparison in words', () => {
  const alert = (
    before: 'complete' | 'incomplete' | null,
    after: 'complete' | 'incomplete' | null,
    changed: number,
  ) => ({
    item: 0,
    before,
    after,
    changes: Array.from({ length: changed }, () => ({ field: 'title', before: 'a', after: 'b' })),
  });
  const comparison = [
    { eventId: 'a', alerts: [alert('incomplete', 'complete', 1), alert('complete', 'complete', 0)] },
    {
      eventId: 'b',
      alerts: [alert(null, 'complete', 3), alert('complete', null, 3), alert('complete', 'incomplete', 1)],
    },
  ];
  expect(compareInWords(comparison)).toBe(
    'Of the last 2 events: 2 of 5 alerts would say something else; 1 new, 1 no more made, 1 become complete, 1 become incomplete.',
  );
});

test('the same change of many alerts is told once, with their number', () => {
  const change = (after: string) => ({ field: 'team', before: null, after });
  const alerts = ['a', 'b', 'b'].map((after) => ({
    item: 0,
    before: null,
    after: 'complete' as const,
    changes: [change(after)],
  }));
  expect(sharedChanges([{ eventId: 'x', alerts }])).toEqual([
    { ...change('b'), count: 2 },
    { ...change('a'), count: 1 },
  ]);
});

test('a payload goes into a preview with all the digits of its numbers', () => {
  const body = previewBody({ fields: {} }, { payload: '{"id": 12345678901234567890}' });
  expect(body).toBe('{"mapping":{"fields":{}},"payload":{"id": 12345678901234567890}}');
  expect(JSON.parse(previewBody({ fields: {} }, { last: 20 }))).toEqual({
    mapping: { fields: {} },
    last: 20,
  });
  expect(JSON.parse(previewBody({ fields: {} }, { eventIds: ['x'] }))).toEqual({
    mapping: { fields: {} },
    eventIds: ['x'],
  });
});

test.each([
  ['{"a": 1,\n "b" 2}', 2, 6],
  ['{"a": tru}', 1, 7],
  ['{"a": 1}}', 1, 9],
  ['{"a": [1, 2', 1, 12],
  ['abc', 1, 1],
])('the place where %j is no JSON', (text, line, column) => {
  expect(findJsonError(text)).toMatchObject({ line, column, message: expect.stringMatching(/\S/) });
});

test('what is JSON has no error', () => {
  for (const text of ['{}', ' [1e400, 12345678901234567890] ', '"x"', 'null'])
    expect(findJsonError(text)).toBeNull();
});

const error = (field: string | null) => ({ field, code: 'x', message: `wrong: ${field}` });

test('errors stand at their fields, and what is right can be looked at without them', () => {
  const errors = [
    error('fields.title.template'),
    error('custom.zone.values'),
    error('fields.title.default'),
    error(null),
  ];
  expect([...errorsByField(errors)].map(([place, found]) => [place, found.length])).toEqual([
    ['fields.title', 2],
    ['custom.zone', 1],
    ['', 1],
  ]);
  const mapping = { split: 'a', fields: { title: {}, team: {} }, custom: { zone: {}, link: {} } };
  expect(withoutErrors(mapping, errors)).toEqual({ split: 'a', fields: { team: {} }, custom: { link: {} } });
  expect(withoutErrors(mapping, [error('split')])).toEqual({
    fields: mapping.fields,
    custom: mapping.custom,
  });
  expect(withoutErrors(mapping, [error(null)])).toBeNull();
  expect(withoutErrors({ fields: {} }, [error(null)])).toBeNull();
});

test('a value map is lines and back, each right by itself and once', () => {
  const values = JSON.parse('{"P1":"critical","__proto__":"x"}');
  const rows = toRows(values);
  expect(toValues([...rows, { id: 9, from: ' ', to: '' }])).toEqual(values);
  expect(Object.keys(toValues(rows))).toEqual(['P1', '__proto__']);
  const again = { id: 2, from: ' p1', to: 'info' };
  expect(rowError(again, [...rows, again])).toMatch(/already/);
  expect(rowError({ id: 2, from: 'P3', to: '' }, rows)).toMatch(/to be/);
  expect(rowError({ id: 2, from: '', to: '' }, rows)).toBeNull();
});
