import { generateKeyText } from '../../db/access/api-keys.js';
import { connectDatabase } from '../../db/client/connect.js';
import { migrate } from '../../db/migrations/index.js';
import { connectWorker } from '../../workers/queues/connection.js';
import { nodeOptions } from '../processes/node-options.js';
import { ALERT } from './alert.js';
import { type BenchContext, type Benchmark, type BenchResult, median } from './benchmark.js';
import { endProgram, freePort, rssMb, runBuilt, startProgram, untilResponding } from './children.js';
import { createWebhook, type Load, sendAlerts } from './load.js';
import { cpuSeconds } from './process-cost.js';

const BURST_SECONDS = 60;
const PREFIX = '{bench}';

/** Measures intake against bare Koa over 256 connections. Redis syncs its log once a second. */
export const intake: Benchmark = (context) => compare('intake', 'everysec', context);

/** Does the same with each write synced to disk before it is acknowledged. */
export const intakeFsync: Benchmark = (context) => compare('intake-fsync', 'always', context);

async function compare(
  name: string,
  fsync: 'everysec' | 'always',
  context: BenchContext,
): Promise<BenchResult> {
  const field = await prepare(context, fsync);
  try {
    const [ours, floor]: [Load[], Load[]] = [[], []];
    let memory = 0;
    for (let run = 0; run < context.runs + 1; run++) {
      const [bare, intake] = [await field.loadBare(), await field.loadIntake()];
      memory = Math.max(memory, rssMb(field.api));
      await field.emptyQueue();
      // The first round is for warming up.
      if (run > 0) [floor.push(bare), ours.push(intake)];
    }
    const rates = { ours: median(ours.map(rate)), floor: median(floor.map(rate)) };
    const p99Ratio = median(ours.map(p99)) / median(floor.map(p99));
    return { name, ratio: rates.ours / rates.floor, ...rates, unit: 'events/s', p99Ratio, rssMb: memory };
  } finally {
    await field.end();
  }
}

/** Measures how much longer a single event takes than with bare Koa (p50, ms): one connection, one event after the other. */
export const intakeOneByOne: Benchmark = async (context) => {
  const field = await prepare(context, 'everysec');
  try {
    const [ours, floor]: [number[], number[]] = [[], []];
    for (let run = 0; run < context.runs + 1; run++) {
      const [bare, intake] = [await timeOne(field.bareUrl), await timeOne(field.intakeUrl)];
      context.say(`floor ${bare.toFixed(3)} ms, ours ${intake.toFixed(3)} ms`);
      if (run > 0) [floor.push(bare), ours.push(intake)];
    }
    const times = { ours: median(ours), floor: median(floor) };
    return { name: 'intake-one-by-one', ratio: times.floor / times.ours, ...times, unit: 'ms p50' };
  } finally {
    await field.end();
  }
};

const timeOne = async (url: string): Promise<number> =>
  (await runBuilt<{ p50: number }>('./one-by-one.js', [url, ALERT, '3'])).p50;

/** Measures the API's memory in a burst of a minute without a worker, while the queue fills up to its limit. */
export const intakeBurst: Benchmark = async (context) => {
  const field = await prepare(context, 'everysec');
  let memory = 0;
  context.say(`before: ${rssMb(field.api)} MB`);
  const watch = setInterval(() => {
    memory = Math.max(memory, rssMb(field.api));
  }, 500);
  try {
    const { '2xx': taken, non2xx } = await sendAlerts(field.intakeUrl, {
      seconds: BURST_SECONDS,
      mayReject: true,
    });
    return {
      name: 'intake-burst',
      ratio: 1,
      ours: taken,
      floor: taken + non2xx,
      unit: 'events',
      rssMb: memory,
    };
  } finally {
    clearInterval(watch);
    await field.end();
  }
};

/** Starts both servers and creates a webhook. No worker processes the queue. */
async function prepare({ databaseUrl, redisUrl, pids, say }: BenchContext, fsync: string) {
  const database = connectDatabase(databaseUrl);
  await migrate(database);
  await database.destroy();
  const redis = connectWorker(redisUrl);
  await redis.config('SET', 'appendfsync', fsync);
  const [barePort, port] = [await freePort(), await freePort()];
  const key = generateKeyText();
  const bare = startProgram('./bare-koa.js', { PORT: String(barePort) });
  const api = startProgram(
    '../../api/main.js',
    {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: PREFIX,
      PORT: String(port),
      BOOTSTRAP_API_KEY: key,
      SECRET_KEY: 'dGhpcyBpcyBhIHNlY3JldCBrZXkgb2YgdGhlIHRlc3Rz',
      LOG_LEVEL: 'warn',
    },
    nodeOptions.api,
  );
  const url = `http://127.0.0.1:${port}`;
  await Promise.all([untilResponding(`http://127.0.0.1:${barePort}`), untilResponding(`${url}/healthz`)]);
  const emptyQueue = async () => {
    const keys = await redis.keys(`${PREFIX}:*`);
    if (keys.length > 0) await redis.unlink(...keys);
  };
  const bareUrl = `http://127.0.0.1:${barePort}/api/v1/webhook/bare`;
  const intakeUrl = await createWebhook(url, key);
  return {
    api,
    bareUrl,
    intakeUrl,
    loadBare: () => costOf('floor', bareUrl, { Koa: bare.pid as number }, say),
    loadIntake: () => costOf('ours ', intakeUrl, { API: api.pid as number, Redis: pids.redis }, say),
    emptyQueue,
    end: async () => {
      await Promise.all([endProgram(api), endProgram(bare)]);
      await emptyQueue();
      redis.disconnect();
    },
  };
}

const rate = ({ requests }: Load): number => requests.average;
const p99 = ({ latency }: Load): number => latency.p99;

/** Reports the load, and what each process spent per event. */
async function costOf(
  whose: string,
  url: string,
  pids: Record<string, number>,
  say: BenchContext['say'],
): Promise<Load> {
  const before = Object.values(pids).map(cpuSeconds);
  const result = await sendAlerts(url);
  const spent = Object.entries(pids).map(([name, pid], i) => {
    const micros = ((cpuSeconds(pid) - (before[i] as number)) * 1e6) / result['2xx'];
    return `${name} ${micros.toFixed(1)} µs`;
  });
  say(
    `${whose} ${Math.round(rate(result))} events/s, p99 ${p99(result)} ms; CPU: ${spent.join(', ')} an event`,
  );
  return result;
}
