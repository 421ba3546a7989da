import { expect, test } from '@jest/globals';
import { isConflict, isConnectionLost, isDatabaseUnavailable } from '../../../db/client/errors.js';

const error = (errno: number, sqlMessage = '') => Object.assign(new Error(sqlMessage), { errno, sqlMessage });

test.each([
  ['InnoDB, a deadlock', error(1213)],
  ['InnoDB, a lock timeout', error(1205)],
  ['InnoDB, a table that was altered', error(1412)],
  [
    'Galera, another node was first',
    error(1213, 'Deadlock found when trying to get lock; try restarting transaction'),
  ],
  [
    'Group Replication, another member was first',
    error(1180, "Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT"),
  ],
  ['Group Replication, as documented', error(3101)],
  ...[8002, 8005, 8022, 8028, 9007].map((errno) => [`TiDB ${errno}`, error(errno)] as const),
])('a conflict is repeated at once: %s', (_, conflict) => {
  expect(isConflict(conflict)).toBe(true);
});

test.each([
  ['Galera without quorum', error(1180, 'Got error 6 "No such device or address" during COMMIT')],
  ['a Galera node that has not joined', error(1047, 'WSREP has not yet prepared node for application use')],
  ['MySQL, a killed connection', error(1317)],
  ['MariaDB, a killed connection', error(1927)],
  ['MySQL, an idle connection', error(4031)],
  ['Group Replication, a member that left', error(3032)],
  ['Vitess, no primary', error(1105, 'target: main.0.primary: primary is not serving, there is a reparent')],
  ['Vitess, no server', error(1105, 'target: main.0.primary: no healthy tablet available for it')],
  ...[8027, 9001, 9002, 9003, 9004, 9005].map((errno) => [`TiDB ${errno}`, error(errno)] as const),
])('an unavailable database is waited for: %s', (_, unavailable) => {
  expect(isConflict(unavailable)).toBe(false);
  expect(isDatabaseUnavailable(unavailable)).toBe(true);
});

test('an error of the statement is neither', () => {
  for (const other of [
    error(1105, 'syntax error at position 7'),
    error(1064),
    error(1146),
    new Error('a bug'),
  ]) {
    expect(isConflict(other)).toBe(false);
    expect(isDatabaseUnavailable(other)).toBe(false);
  }
});

test('a session that the server ended is a lost connection', () => {
  for (const errno of [1927, 3169, 4031]) expect(isConnectionLost(error(errno))).toBe(true);
});
