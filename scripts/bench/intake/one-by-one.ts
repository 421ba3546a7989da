import { type BenchContext, type Benchmark, median } from '../benchmark.js';
import { cpuSeconds, runBuilt } from '../children.js';
import { ALERT } from '../load.js';
import { type Subject, startField } from './field.js';

const SECONDS = 2;

type Name = 'Koa alone' | 'floor' | 'same job' | 'ours';

/**
 * Measures the latency of a single event (p50, ms): one connection, one event after the other. Floor: Koa that waits for one `add` of
 * BullMQ. Second floor: Koa that waits for one `add` of the job that the API adds. The latency of Koa that waits for nothing is printed too.
 */
export const intakeOneByOne: Benchmark = async (context) => {
  const field = await startField(context, 'everysec', ['bare-koa', 'adding-koa', 'adding-same-job']);
  const subjects = {
    'Koa alone': field.floors['bare-koa'],
    floor: field.floors['adding-koa'],
    'same job': field.floors['adding-same-job'],
    ours: field.api,
  };
  const names = Object.keys(subjects) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  try {
    for (let run = 0; run < context.runs + 1; run++) {
      // Every other round has the opposite order. The first round is for warming up.
      for (const name of run % 2 === 0 ? names : [...names].reverse()) {
        const p50 = await timeOne(name, subjects[name], context.say);
        if (run > 0) times[name].push(p50);
        await field.emptyQueue();
      }
    }
    const [floor, ours] = [median(times.floor), median(times.ours)];
    const otherFloors = { 'Koa that adds the same job': median(times['same job']) };
    return { name: 'intake-one-by-one', ratio: floor / ours, ours, floor, otherFloors, unit: 'ms p50' };
  } finally {
    await field.stop();
  }
};

async function timeOne(name: string, { url, process }: Subject, say: BenchContext['say']): Promise<number> {
  const pid = process.pid as number;
  const before = cpuSeconds(pid);
  const { p50, events } = await runBuilt<{ p50: number; events: number }>('./intake/single-sender.js', [
    url,
    ALERT,
    String(SECONDS),
  ]);
  const micros = ((cpuSeconds(pid) - before) * 1e6) / events;
  say(`${name.padEnd(9)} ${p50.toFixed(3)} ms; CPU: ${micros.toFixed(0)} µs an event`);
  return p50;
}
