import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { up } from '../../../db/migrations/030-severity-ranks.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.drop());

const AT = new Date(Date.UTC(2026, 0, 1));
const END = new Date(AT.getTime() + 90_500);

test('the migration fills what alerts are sorted by, and can be repeated', async () => {
  const { database } = own;
  const alert = (number: number, columns: object) => ({
    received_at: AT,
    id: toUuidBinary(`0199c0de-0000-7000-8000-00000000000${number}`),
    webhook_id: toUuidBinary('0199c0de-0000-7000-8000-000000000000'),
    state: 'complete' as const,
    revision: 1,
    ...columns,
  });
  await database('alerts').insert([
    alert(1, { severity: 'Critical' }),
    alert(2, { severity: 'P1' }),
    alert(3, {
      severity: 'info',
      peak_severity: 'error',
      dedup_key: 'k',
      last_event_at: END,
      resolved_at: END,
    }),
  ]);
  for (let times = 0; times < 2; times++) {
    await up(database, { say: () => {}, check: async () => {} });
    const rows = await database('alerts')
      .orderBy('id')
      .select('severity_rank', 'peak_rank', 'last_event_at', 'duration_ms');
    expect(rows.map((row) => ({ ...row, duration_ms: row.duration_ms && Number(row.duration_ms) }))).toEqual([
      { severity_rank: 400, peak_rank: null, last_event_at: AT, duration_ms: null },
      { severity_rank: 0, peak_rank: null, last_event_at: AT, duration_ms: null },
      { severity_rank: 100, peak_rank: 300, last_event_at: END, duration_ms: 90_500 },
    ]);
  }
});
