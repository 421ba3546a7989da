import { expect, test } from '@jest/globals';
import { neighborsOf } from '../../../api/console/parts/lists/neighbors.js';

const rows = ['c', 'b', 'a'].map((id) => ({ id }));

test.each([
  ['c', null, 'b'],
  ['b', 'c', 'a'],
  ['a', 'b', null],
  ['x', null, null],
])('the entries around %s are %s and %s', (id, previous, next) => {
  expect(neighborsOf(rows, id)).toEqual({ previous, next });
});
