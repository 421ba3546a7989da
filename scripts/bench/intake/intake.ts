import { type BenchContext, type Benchmark, type BenchResult, median } from '../benchmark.js';
import { cpuSeconds, rssMb } from '../children.js';
import { type Load, sendAlerts } from '../load.js';
import { startField } from './field.js';

const BURST_SECONDS = 60;

/**
 * Measures intake against bare Koa over 256 connections. Redis syncs its log once a second. What Koa takes that waits for one `add` of BullMQ
 * for each event is printed too.
 */
export const intake: Benchmark = (context) => compare('intake', 'everysec', context);

/** Does the same with each write synced to disk before it is acknowledged. */
export const intakeFsync: Benchmark = (context) => compare('intake-fsync', 'always', context);

async function compare(
  name: string,
  fsync: 'everysec' | 'always',
  context: BenchContext,
): Promise<BenchResult> {
  const field = await startField(context, fsync, ['bare-koa', 'adding-koa']);
  const { say, pids } = context;
  const { api } = field;
  const { 'bare-koa': koa, 'adding-koa': adding } = field.floors;
  const subjects = {
    floor: () => costOf('floor', koa.url, { Koa: koa.process.pid as number }, say),
    ours: () => costOf('ours ', api.url, { API: api.process.pid as number, Redis: pids.redis }, say),
    adds: () => costOf('adds ', adding.url, { Koa: adding.process.pid as number, Redis: pids.redis }, say),
  };
  const names = Object.keys(subjects) as (keyof typeof subjects)[];
  try {
    const loads = { floor: [] as Load[], ours: [] as Load[], adds: [] as Load[] };
    let memory = 0;
    for (let run = 0; run < context.runs + 1; run++) {
      // Every other round has the opposite order. The first round is for warming up.
      for (const name of run % 2 === 0 ? names : [...names].reverse()) {
        const load = await subjects[name]();
        if (run > 0) loads[name].push(load);
        memory = Math.max(memory, rssMb(api.process));
        await field.emptyQueue();
      }
    }
    const { ours, floor } = loads;
    const rates = { ours: median(ours.map(rate)), floor: median(floor.map(rate)) };
    const p99Ratio = median(ours.map(p99)) / median(floor.map(p99));
    return { name, ratio: rates.ours / rates.floor, ...rates, unit: 'events/s', p99Ratio, rssMb: memory };
  } finally {
    await field.stop();
  }
}

/** Measures the API's memory in a burst of a minute without a worker, while the queue fills up to its limit. */
export const intakeBurst: Benchmark = async (context) => {
  const field = await startField(context, 'everysec', []);
  let memory = 0;
  context.say(`before: ${rssMb(field.api.process)} MB`);
  const watch = setInterval(() => {
    memory = Math.max(memory, rssMb(field.api.process));
  }, 500);
  try {
    const { '2xx': taken, non2xx } = await sendAlerts(field.api.url, {
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
    await field.stop();
  }
};

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
