import { expect, test } from '@jest/globals';
import { distance } from '../../../api/console/text/times.js';

test.each([
  [0, 'now'],
  [-0.9, 'now'],
  [-1, '1 sec. ago'],
  [-59.9, '59 sec. ago'],
  [-60, '1 min. ago'],
  [-3_599, '59 min. ago'],
  [-86_399, '23 hr. ago'],
  [-172_800, '2 days ago'],
  [90, 'in 1 min.'],
])('%d s from now are told as %s', (seconds, words) => expect(distance(seconds)).toBe(words));
