import { expect, test } from '@jest/globals';
import { resolveVersionOf } from '../../../workers/queues/contracts/alert-resolve.js';
import { exportVersionOf } from '../../../workers/queues/contracts/contract.js';

test.each([
  [{ team: 'a' }, 1],
  [{ team: ['a', 'b'] }, 2],
  [{ team: ['a', 'b'], severityAtLeast: 'high' }, 3],
  [{ peakSeverity: 'high', ownerEmail: 'ada@example.com' }, 4],
])('an export with the filters %j has version %d', (filters, version) =>
  expect(exportVersionOf(filters)).toBe(version),
);

test.each([
  [{ filters: { team: 'a' }, limit: 1 }, 1],
  [{ filters: { ownerEmail: 'ada@example.com' }, limit: 1 }, 2],
  [{ ids: [] }, 1],
])('a job that resolves %j has version %d', (alerts, version) =>
  expect(resolveVersionOf(alerts)).toBe(version),
);
