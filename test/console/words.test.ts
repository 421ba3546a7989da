import { expect, test } from '@jest/globals';
import { countsInWords } from '../../api/console/jobs/counts.ts';

test('x', () => {
  expect(countsInWords({ type: 'identity-import', dryRun: false, counts: { total: 1, created: 1 } })).toBe(
    '1 row: 1 created',
  );
});
