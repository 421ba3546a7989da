import { connectDatabase } from '../../../db/client/connect.js';
import { migrate } from '../../../db/migrations/index.js';
import { insertDestination } from '../../../db/outbox/destinations.js';
import { drainBacklog, fillQueue } from '../backlog.js';
import { type Benchmark, median } from '../benchmark.js';
import { Target } from '../deliver/target.js';
import { SECRET_KEY } from '../stack.js';
import { KEYED_MAPPING, keyedBodies, makeWebhook } from './drain.js';
import { KEYED_TABLES } from './fold-again.js';
import { empty } from './write-groups.js';

const TABLES = [
  ...Object.keys(KEYED_TABLES),
  'outbox',
  'transitions',
  'messages',
  'message_attempts',
  'beliefs',
];

/** As a new webhook has it. */
const RATE = 600;

/** Measures how fast one worker stores a backlog with keys while it tells a destination of each change. Floor: the same without a destination. */
export const drainTold: Benchmark = async (context) => {
  const database = connectDatabase(context.databaseUrl);
  await migrate(database);
  const webhookId = await makeWebhook(database, KEYED_MAPPING);
  const target = await Target.start();
  const settings = { SECRET_KEY, OUTBOUND_ALLOW: target.host };
  const drain = async (): Promise<number> => {
    await empty(database, TABLES);
    await fillQueue(context, webhookId, keyedBodies(context));
    return (await drainBacklog(context, settings)).rate;
  };
  const [ours, floor]: [number[], number[]] = [[], []];
  for (let run = 0; run < context.runs; run++) {
    await database('destinations').delete();
    floor.push(await drain());
    await insertDestination(database, { ...target.newDestination('told'), ratePerMinute: RATE });
    ours.push(await drain());
    const states = await database('messages').groupBy('state').select('state').count({ count: '*' });
    const inOutbox = await database('outbox').count({ count: '*' }).first();
    const counts = states.map(({ state, count }) => `${count} ${state}`).join(', ');
    context.say(`messages then: ${counts}; ${inOutbox?.count} in the outbox`);
  }
  await database.destroy();
  await target.stop();
  const rates = { ours: median(ours), floor: median(floor) };
  return { name: 'drain-told', ratio: rates.ours / rates.floor, ...rates, unit: 'events/s' };
};
