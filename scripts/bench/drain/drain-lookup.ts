import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { migrate } from '../../../db/migrations/index.js';
import type { Mapping } from '../../../workers/mapping/index.js';
import { drainBacklog, fillQueue } from '../backlog.js';
import { type Benchmark, median } from '../benchmark.js';
import { alertOf } from '../load.js';
import { GENERIC, makeWebhook } from './drain.js';
import { KEYED_TABLES } from './fold-again.js';
import { empty } from './write-groups.js';

const TABLE_ROWS = 1_000_000;

const LOOKING_UP: Mapping = {
  ...GENERIC.mapping,
  lookups: {
    service: { table: 'services', key: '{{webhook.metadata.service}}' },
    host: { table: 'services', key: '{{webhook.metadata.host}}' },
  },
  fields: {
    ...GENERIC.mapping.fields,
    team: { template: '{{lookup.service.team}}' },
    environment: { template: '{{lookup.host.team}}' },
  },
};

/**
 * Measures how fast one worker stores a backlog whose events look up two rows each, in a table of a million. Half of the lookups are for a
 * thousand keys, as 1/n is distributed. Floor: the same events with a mapping without lookups.
 */
export const drainLookup: Benchmark = async (context) => {
  const database = connectDatabase(context.databaseUrl);
  await migrate(database);
  await fillTable(database);
  const webhooks = {
    ours: await makeWebhook(database, LOOKING_UP),
    floor: await makeWebhook(database, GENERIC.mapping),
  };
  const rates: Record<keyof typeof webhooks, number[]> = { ours: [], floor: [] };
  let memory = 0;
  for (let run = 0; run < context.runs; run++) {
    for (const side of ['floor', 'ours'] as const) {
      await empty(database, Object.keys(KEYED_TABLES));
      await fillQueue(context, webhooks[side], () => alertOf({ service: keyOf(), host: keyOf() }));
      const { rate, rssMb } = await drainBacklog(context);
      rates[side].push(rate);
      memory = Math.max(memory, rssMb);
    }
  }
  await database.destroy();
  const [ours, floor] = [median(rates.ours), median(rates.floor)];
  return { name: 'drain-lookup', ratio: ours / floor, ours, floor, unit: 'events/s', rssMb: memory };
};

const keyOf = (): string => `service-${Math.floor(TABLE_ROWS ** Math.random())}`;

/** Lets the server fill a table. */
async function fillTable(database: Database): Promise<void> {
  await database('lookup_tables').insert({
    ...{ id: 1, name: 'services', revision: 1, last_revision: 1, acceptance: 1, updated_at: new Date() },
  });
  await database.raw(
    `INSERT INTO lookup_revisions (table_id, revision, state, matching, key_columns, columns, row_count, digest, job_id, created_at)
     VALUES (1, 1, 'ready', 'exact', '["service"]', '["service","team","tier","note"]', ?, REPEAT('x', 32), UUID(), UTC_TIMESTAMP(3))`,
    [TABLE_ROWS],
  );
  await database.raw(
    `INSERT INTO lookup_rows (table_id, revision, position, key_hash, cells)
     SELECT 1, 1, seq, UNHEX(LEFT(SHA2(CONCAT('service-', seq), 256), 32)),
       CONCAT('["service-', seq, '","team-', seq MOD 100, '","', seq MOD 4, '","what people should know about it"]')
     FROM seq_1_to_${TABLE_ROWS}`,
  );
}
