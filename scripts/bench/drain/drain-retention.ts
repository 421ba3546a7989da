import { connectDatabase } from '../../../db/client/connect.js';
import { migrate } from '../../../db/migrations/index.js';
import { connectProducer } from '../../../workers/queues/connection.js';
import { Producer } from '../../../workers/queues/producer.js';
import { drainBacklog, fillQueue, PREFIX } from '../backlog.js';
import { type BenchContext, type Benchmark, median } from '../benchmark.js';
import { fillExpired } from '../filled-tables.js';
import { ALERT } from '../load.js';
import { GENERIC, makeWebhook } from './drain.js';
import { empty } from './write-groups.js';

const TABLES = ['events', 'alerts'];
/** So many that retention is not done before the backlog is stored. */
const EXPIRED_PER_EVENT = 3;

/** Measures how fast one worker stores a backlog while it also deletes expired rows. Floor: the same without expired rows. */
export const drainRetention: Benchmark = async (context) => {
  const database = connectDatabase(context.databaseUrl);
  await migrate(database);
  const webhookId = await makeWebhook(database, GENERIC.mapping);
  const drain = async (expired: number): Promise<number> => {
    await empty(database, TABLES);
    await fillExpired(database, expired);
    await fillQueue(context, webhookId, () => ALERT);
    await startTurn(context);
    const { rate } = await drainBacklog(context);
    const stored = await database('events').count({ count: '*' }).first();
    const deleted = expired + context.rows - Number(stored?.count);
    if (expired > 0) context.say(`${deleted} of ${expired} expired events were deleted meanwhile`);
    return rate;
  };
  const [ours, floor]: [number[], number[]] = [[], []];
  for (let run = 0; run < context.runs; run++) {
    floor.push(await drain(0));
    ours.push(await drain(EXPIRED_PER_EVENT * context.rows));
  }
  await database.destroy();
  const rates = { ours: median(ours), floor: median(floor) };
  return { name: 'drain-retention', ratio: rates.ours / rates.floor, ...rates, unit: 'events/s' };
};

/** Lets the next worker begin a turn of upkeep at once. */
async function startTurn({ redisUrl }: BenchContext): Promise<void> {
  const redis = connectProducer(redisUrl);
  await new Promise((resolve) => redis.once('ready', resolve));
  const producer = new Producer(redis, PREFIX);
  await producer
    .queue('upkeep')
    .add('upkeep', { version: 1 }, { removeOnComplete: true, removeOnFail: true });
  await producer.close();
}
