import { uuidv7 } from 'uuidv7';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { migrate } from '../../../db/migrations/index.js';
import { insertDestination } from '../../../db/outbox/destinations.js';
import { SecretBox } from '../../../workers/process/secret-box.js';
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
    await insertTarget(database, target);
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

/** Creates a destination that wants all, as a new webhook has it: with ten messages a second. */
async function insertTarget(database: Database, target: Target): Promise<void> {
  const id = uuidv7();
  await insertDestination(database, {
    id,
    author: { id: uuidv7(), name: 'bench' },
    name: 'told',
    description: '',
    preset: 'webhook',
    url: new SecretBox(SECRET_KEY).seal(target.url('told'), id),
    host: target.host,
    secret: null,
    previousSecret: null,
    previousSecretExpiresAt: null,
    webhookIds: null,
    filter: null,
    body: null,
    types: ['alert.fired', 'alert.changed', 'alert.resolved'],
    severityAtLeast: null,
    mode: 'every',
    settleSeconds: 0,
    ratePerMinute: 600,
    pausedAt: null,
  });
}
