import { describe, expect, test } from '@jest/globals';
import { holdRows } from '../../../api/console/parts/lists/held-rows.js';

const rows = ['d', 'c', 'b', 'a'].map((id) => ({ id }));

describe('rows of a live list', () => {
  test('are all visible at the top of the page', () => {
    expect(holdRows(rows, null)).toEqual({ shown: rows, waiting: 0 });
  });

  test('are held back above the row that was on top when the user scrolled down', () => {
    expect(holdRows(rows, 'b')).toEqual({ shown: [{ id: 'b' }, { id: 'a' }], waiting: 2 });
  });

  test('are all visible if that row is gone', () => {
    expect(holdRows(rows, 'x')).toEqual({ shown: rows, waiting: 0 });
  });
});
