import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { keptRequest } from '../../api/intake/request/kept-request.js';
import { NO_NAMES } from '../../api/intake/request/read-names.js';
import { alertId } from '../../db/events/alerts/alert-id.js';
import type { PostedAlert } from '../../workers/alertmanager/posted-alert.js';
import { connectProducer, connectWorker } from '../../workers/queues/connection.js';
import {
  alertIntake,
  type IntakeEvent,
  type IntakeList,
} from '../../workers/queues/contracts/alert-intake.js';
import { areEmpty, queueDepths } from '../../workers/queues/depth.js';
import { Producer } from '../../workers/queues/producer.js';
import { nodeOptions } from '../processes/node-options.js';
import type { BenchContext } from './benchmark.js';
import { cpuSeconds, endProgram, peakRssMb, startProgram } from './children.js';

export const PREFIX = '{bench}';
const BATCH = 200;

/** The body of an event, or an alert of a list. */
export type QueuedBody = string | PostedAlert;
/** Alerts in one list: what Prometheus sends at a time. */
const LISTED = 64;

/** Puts events into the queue. `body` returns the body of the event with a number from 0. */
export async function fillQueue(
  { redisUrl, rows }: BenchContext,
  webhookId: string,
  body: (number: number) => QueuedBody,
): Promise<void> {
  const redis = connectProducer(redisUrl);
  await new Promise((resolve) => redis.once('ready', resolve));
  const producer = new Producer(redis, PREFIX);
  for (let done = 0; done < rows; done += BATCH) {
    const bodies = Array.from({ length: Math.min(BATCH, rows - done) }, (_, index) => body(done + index));
    const events = bodies.flatMap((raw) => (typeof raw === 'string' ? newEvent(webhookId, raw) : []));
    const alerts = bodies.filter((one) => typeof one !== 'string');
    await producer.enqueue(alertIntake, uuidv7(), { version: 2, events, lists: listsOf(webhookId, alerts) });
  }
  await producer.close();
}

/** The request as the API stores it with an event. */
const REQUEST = keptRequest(
  {
    method: 'POST',
    url: '/api/v1/webhook/token',
    headers: { 'content-type': 'application/json', 'user-agent': 'Alertmanager/0.27.0' },
    rawHeaders: ['Content-Type', 'application/json', 'User-Agent', 'Alertmanager/0.27.0'],
  },
  NO_NAMES,
);

const newEventId = (): string => alertId(uuidv7(), -1);

const newEvent = (webhookId: string, raw: string): IntakeEvent => ({
  id: newEventId(),
  webhookId,
  receivedAt: Date.now(),
  raw,
  request: REQUEST,
});

function listsOf(webhookId: string, alerts: readonly PostedAlert[]): IntakeList[] {
  const lists: IntakeList[] = [];
  for (let start = 0; start < alerts.length; start += LISTED) {
    const some = alerts.slice(start, start + LISTED);
    lists.push({
      webhookId,
      receivedAt: Date.now(),
      request: REQUEST,
      ids: some.map(newEventId),
      alerts: some,
    });
  }
  return lists;
}

/**
 * Lets one worker store the backlog. Measures from the first row to the last, without the start of the process. Polls the queue, which
 * costs nothing.
 * @param settings more environment variables of the worker
 */
export async function drainBacklog(
  { databaseUrl, redisUrl, pids, rows, say }: BenchContext,
  settings: Record<string, string> = {},
) {
  const redis = connectWorker(redisUrl);
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: PREFIX,
    LOG_LEVEL: 'warn',
    ...settings,
  };
  const worker = startProgram('../../workers/main.js', env, nodeOptions.worker);
  const spent = spending({ worker: worker.pid as number, MariaDB: pids.mariadb, Redis: pids.redis }, rows);
  let startedAt = 0;
  for (;;) {
    if (worker.exitCode !== null) throw new Error('the worker ended');
    const depths = await queueDepths(redis, PREFIX, alertIntake.queues);
    if (startedAt === 0 && depths.some(({ active }) => active > 0)) startedAt = performance.now();
    if (startedAt > 0 && areEmpty(depths)) break;
    await sleep(startedAt === 0 ? 2 : 20);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const rssMb = peakRssMb(worker.pid as number);
  say(`ours  ${Math.round(rows / seconds)} events/s, ${rssMb} MB; CPU: ${spent()} an event`);
  await endProgram(worker);
  redis.disconnect();
  return { rate: rows / seconds, rssMb };
}

/** Returns a function that reports what processes spend per event from now on. */
export function spending(pids: Record<string, number>, events: number): () => string {
  const before = Object.values(pids).map(cpuSeconds);
  return () =>
    Object.entries(pids)
      .map(([name, pid], i) => {
        const micros = ((cpuSeconds(pid) - (before[i] as number)) * 1e6) / events;
        return `${name} ${micros.toFixed(1)} µs`;
      })
      .join(', ');
}
