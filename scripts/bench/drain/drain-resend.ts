import { readAlert } from '../../../api/routes/dialects/alertmanager/read-alert.js';
import { connectDatabase } from '../../../db/client/connect.js';
import { migrate } from '../../../db/migrations/index.js';
import { type CatalogueSource, findSource } from '../../../workers/mapping/catalogue/index.js';
import { drainBacklog, fillQueue, type QueuedBody } from '../backlog.js';
import { type Benchmark, median } from '../benchmark.js';
import { KEYED_MAPPING, keyedBodies, makeWebhook } from './drain.js';
import { KEYED_TABLES } from './fold-again.js';
import { empty } from './write-groups.js';

/** Alerts that fire at the same time, each of which is sent again and again. */
const ALERTS = 1_000;
const ALERTMANAGER = findSource('alertmanager') as CatalogueSource;

/** Measures how fast one worker takes in alerts that Prometheus sends again. Floor: as many different events with keys. */
export const drainResend: Benchmark = async (context) => {
  const database = connectDatabase(context.databaseUrl);
  await migrate(database);
  const keyed = await makeWebhook(database, KEYED_MAPPING);
  const resent = await makeWebhook(database, ALERTMANAGER.mapping);
  const drain = async (webhookId: string, body: (number: number) => QueuedBody): Promise<number> => {
    await empty(database, [...Object.keys(KEYED_TABLES), 'series_expiries']);
    await fillQueue(context, webhookId, body);
    return (await drainBacklog(context)).rate;
  };
  const [ours, floor]: [number[], number[]] = [[], []];
  for (let run = 0; run < context.runs; run++) {
    floor.push(await drain(keyed, keyedBodies(context)));
    ours.push(await drain(resent, repeatedAlert));
    const stored = await database('events').count({ count: '*' }).first();
    context.say(`events then: ${stored?.count}`);
  }
  await database.destroy();
  const rates = { ours: median(ours), floor: median(floor) };
  return { name: 'drain-resend', ratio: rates.ours / rates.floor, ...rates, unit: 'events/s' };
};

const STARTS_AT = '2026-03-01T08:00:00.000Z';
const LIFE_MS = 60 * 60_000;

/** Returns an alert that fires, as Prometheus sends it. */
function repeatedAlert(number: number): QueuedBody {
  const now = Date.now();
  const alert = readAlert({
    labels: {
      alertname: 'InstanceDown',
      instance: `host-${number % ALERTS}:9100`,
      job: 'node',
      severity: 'critical',
      team: 'platform',
    },
    annotations: { summary: 'Instance down', description: 'It has been down for more than 5 minutes.' },
    startsAt: STARTS_AT,
    endsAt: new Date(now + LIFE_MS).toISOString(),
    generatorURL: 'http://prometheus.example.com/graph?g0.expr=up+%3D%3D+0',
  });
  if (typeof alert === 'string') throw new Error(alert);
  return alert;
}
