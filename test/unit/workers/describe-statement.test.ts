import { expect, test } from '@jest/globals';
import { describeStatement } from '../../../workers/tracing/statements.js';

const TABLES = ['jobs', 'events', 'identities'];

test.each([
  ['select `id` from `jobs` where `id` = ?', 'SELECT', 'jobs'],
  ['INSERT IGNORE INTO events (id) VALUES (?)', 'INSERT', 'events'],
  ['/*+ MAX_EXECUTION_TIME(5) */ SELECT 1', 'SELECT', undefined],
  ['update `jobs` set `state` = ?', 'UPDATE', 'jobs'],
  ['SELECT i.id FROM (SELECT id FROM identities) i', 'SELECT', 'identities'],
  ['BEGIN;', 'BEGIN', undefined],
])('%s', (sql, operation, table) => {
  expect(describeStatement(sql, TABLES)).toEqual({ operation, table });
});

test.each([
  "INSERT INTO unknown VALUES ('ann@example.com')",
  "SELECT 'secret from ann'",
  'ann@example.com',
  '',
])('shows no text of %j', (sql) => {
  const { operation, table } = describeStatement(sql, TABLES);
  expect([['INSERT', 'SELECT', 'SQL'].includes(operation), table]).toEqual([true, undefined]);
});
