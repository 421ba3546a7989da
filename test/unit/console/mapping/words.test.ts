import { expect, test } from '@jest/globals';
import { describeComparison, sharedChanges } from '../../../../api/console/mapping/model/comparison-text.ts';
import { rowError, toRows, toValues } from '../../../../api/console/mapping/model/draft/value-rows.ts';
import { errorsByField, withoutErrors } from '../../../../api/console/mapping/model/errors-by-field.ts';
import { findJsonError } from '../../../../api/console/mapping/model/json-error.ts';
import { previewBody } from '../../../../api/console/mapping/model/preview-body.ts';
import { describeRemap, describeTableRemap } from '../../../../api/console/mapping/model/remap-text.ts';

test('a remap is described before and after', () => {
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
  expect(describeRemap(counts, false)).toBe(
    '12 events: 9 alerts would become complete, 1 alert would change but stay incomplete, 1 alert would be removed, ' +
      '1 alert would not change. 1 event could not be mapped and keeps its alerts.',
  );
  expect(describeRemap({ events: 1_200, changed: 1_200, completed: 1_200 }, true)).toBe(
    '1,200 events: 1,200 alerts became complete.',
  );
  expect(describeRemap({ events: 0 }, false)).toBe('No events to remap.');
});

test('a remap after a change of a table first says how many alerts it would change because of that', () => {
  const counts = { events: 3, changed: 2, unchanged: 1, changedByLookups: 1 };
  expect(describeTableRemap(counts, false)).toBe(
    '1 alert would change because a table or an owner has changed. In all, 3 events: 2 alerts would change, 1 alert would not change.',
  );
  expect(describeTableRemap({ ...counts, changedByLookups: 0 }, true)).toBe(
    'No alert changed because a table or an owner has changed. In all, 3 events: 2 alerts changed, 1 alert did not change.',
  );
  expect(describeTableRemap({ events: 0 }, false)).toBe('No events to remap.');
});

test('a comparison is described', () => {
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
  expect(describeComparison(comparison)).toBe(
    'Last 2 events: 2 of 5 alerts would have different values; 1 would be new, 1 would no longer be created, 1 would become complete, 1 would become incomplete.',
  );
});

test('equal changes are reported once, with their count', () => {
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

test('a preview sends the payload with all digits of its numbers', () => {
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
])('the position of the error in %j', (text, line, column) => {
  expect(findJsonError(text)).toMatchObject({ line, column, message: expect.stringMatching(/\S/) });
});

test('valid JSON has no error', () => {
  for (const text of ['{}', ' [1e400, 12345678901234567890] ', '"x"', 'null'])
    expect(findJsonError(text)).toBeNull();
});

const error = (field: string | null) => ({ field, code: 'x', message: `wrong: ${field}` });

test('errors are grouped by field, and the valid rest of the mapping can be previewed', () => {
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

test('a value map converts to rows and back, and each row is validated', () => {
  const values = JSON.parse('{"P1":"critical","__proto__":"x"}');
  const rows = toRows(values);
  expect(toValues([...rows, { id: 9, from: ' ', to: '' }])).toEqual(values);
  expect(Object.keys(toValues(rows))).toEqual(['P1', '__proto__']);
  const again = { id: 2, from: ' p1', to: 'info' };
  expect(rowError(again, [...rows, again])).toMatch(/already/);
  expect(rowError({ id: 2, from: 'P3', to: '' }, rows)).toMatch(/Enter the alert value/);
  expect(rowError({ id: 2, from: '', to: '' }, rows)).toBeNull();
});
