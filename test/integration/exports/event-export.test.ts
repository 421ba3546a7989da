import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { EventRows } from '../../../db/events/event-rows.js';
import { insertEvents } from '../../../db/events/insert-events.js';
import { withoutAlerts } from '../../../workers/events/store/build-event.js';
import { fillAlerts, webhookNumber } from '../../support/api/alerts.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

const ROWS = 5_000;
const ID = '01a1f8d7-e210-7f4a-ad69-99f780164000';
const CLAUSE = '=webhook.severity != "info"';
let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  await fillAlerts(stack.database, ROWS);
  const event = { id: ID, webhookId: webhookNumber(1), receivedAt: Date.now(), raw: '{}' };
  const filter = { reason: { clause: CLAUSE, values: [], item: null }, items: [], warnings: [] };
  const filtered = {
    ...withoutAlerts(event, 'failed', { field: null, code: 'x', message: 'x' }),
    state: 'filtered' as const,
    faults: null,
    filter: JSON.stringify(filter),
  };
  await insertEvents(stack.database, EventRows.of([filtered]));
});
afterAll(() => stack.stop());

const rowsOf = async (query: string): Promise<Record<string, string>[]> => {
  const response = await client.get(`/v2/events?format=csv${query}`);
  expect([response.status, response.headers.get('content-disposition')]).toEqual([
    200,
    'attachment; filename="events.csv"',
  ]);
  return parse(response.text, { columns: true });
};

test('events are downloaded as CSV, newest first', async () => {
  const rows = await rowsOf('');
  expect(rows).toHaveLength(ROWS + 1);
  expect(rows[0]).toMatchObject({ id: ID, state: 'filtered', alerts: '0', filteredBy: CLAUSE, faults: '[]' });
  expect(new Set(rows.map(({ filteredItems }) => filteredItems))).toEqual(new Set(['0']));
  const times = rows.map(({ receivedAt }) => receivedAt as string);
  expect(times).toEqual([...times].sort().reverse());
});

test('a download of events has the filters of the list', async () => {
  expect((await rowsOf('&state=filtered')).map(({ id }) => id)).toEqual([ID]);
  const one = await rowsOf(`&webhookId=${webhookNumber(7)}&state=failed`);
  expect(one.length).toBeGreaterThan(0);
  expect(new Set(one.map(({ webhookId, state }) => `${webhookId} ${state}`))).toEqual(
    new Set([`${webhookNumber(7)} failed`]),
  );
});

test('a download of events escapes formulas if asked to', async () => {
  const [row] = await rowsOf('&state=filtered&escapeFormulas=true');
  expect(row?.filteredByEscaped).toBe(`'${CLAUSE}`);
});

test('parameters of a page are invalid in a download of events', async () => {
  const { status, body } = await client.get('/v2/events?format=csv&pageSize=5');
  expect([status, body.code]).toEqual([400, 'invalid_query']);
});
