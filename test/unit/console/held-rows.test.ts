import { describe, expect, test } from '@jest/globals';
import { holdRows } from '../../../api/console/parts/lists/held-rows.js';

const rows = ['d', 'c', 'b', 'a'].map((id) => ({ id }));

describe('rows of a live list', () => {
  test('are all shown at the top of the page', () => {
    expect(holdRows(rows, null)).toEqual({ shown: rows, waiting: 0 });
  });

  test('wait above the one that stood on top when the reader went down', () => {
    expect(holdRows(rows, 'b')).toEqual({ shown: [{ id: 'b' }, { id: 'a' }], waiting: 2 });
  });

  test('are all shown when that one is gone', () => {
    expect(holdRows(rows, 'x')).toEqual({ shown: rows, waiting: 0 });
  });
});
