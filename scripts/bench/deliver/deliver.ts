import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { inTransaction } from '../../../db/client/transaction.js';
import { insertDestination } from '../../../db/outbox/destinations.js';
import { type BenchContext, type Benchmark, median, percentile, round } from '../benchmark.js';
import { cpuSeconds, runBuilt } from '../children.js';
import { type BenchStack, startBenchStack } from '../stack.js';
import { Target } from './target.js';

/** Alerts of the latencies at rest: one after the other, several a second. */
const IDLE = { count: 150, rate: 5 };
const BUSY = { count: 10_000, rate: 1_000 };
const FEW = { count: 50, rate: 5 };
/** Destinations, and how many of them hang. */
const MANY = { destinations: 50, hanging: 40, count: 200, rate: 10 };
const WITHIN_MS = 120_000;
const IDLE_MS = 10_000;
/** Workers know of a first destination after a second. */
const KNOWN_MS = 1_500;

/**
 * Measures how many messages a second of a worker's CPU time tells one destination of alerts that wait. Floor: a program that posts the same bodies from
 * memory, with the same client. Messages a second of the clock would compare two processes with three on two cores. Also how long it takes from the acceptance of an event to the 2xx of the receiver, at rest and at 1,000 events a second.
 */
export const deliver: Benchmark = (context) =>
  withStack(context, async (bench) => {
    const [ours, floor]: [Speed[], Speed[]] = [[], []];
    const id = await bench.createDestination('told');
    const latency = { idle: await bench.latency(IDLE), busy: await bench.latency(BUSY) };
    context.say(`from acceptance to 2xx: at rest ${latency.idle}, at ${BUSY.rate} a second ${latency.busy}`);
    for (let run = 0; run < context.runs; run++) {
      ours.push(await bench.tellBacklog(id, context.rows));
      floor.push(await postAgain(context, bench.target));
    }
    const [rates, cpu] = [mediansOf({ ours, floor }, 'rate'), mediansOf({ ours, floor }, 'perCpuSecond')];
    context.say(`by the clock: ${round(rates.ours / rates.floor)} × the floor`);
    return { name: 'deliver', ratio: cpu.ours / cpu.floor, ...cpu, unit: 'messages/CPU s' };
  });

/** Messages, by the clock and by the CPU time of the process that sends them. */
interface Speed {
  rate: number;
  perCpuSecond: number;
}

const mediansOf = (speeds: Record<'ours' | 'floor', Speed[]>, by: keyof Speed) => ({
  ours: median(speeds.ours.map((speed) => speed[by])),
  floor: median(speeds.floor.map((speed) => speed[by])),
});

/** Measures how long it takes until ten destinations are told while 40 others do not respond. Floor: the others do. */
export const deliverHanging: Benchmark = (context) =>
  withStack(context, async (bench) => {
    const { destinations, hanging, count, rate } = MANY;
    const p99 = async (path: string): Promise<number> => {
      for (let number = 0; number < destinations; number++)
        await bench.createDestination(number < hanging ? path : 'measured');
      const times = await bench.times({ count, rate }, destinations - hanging);
      context.say(`the others at ${path}: ${shown(times)}`);
      await bench.deleteDestinations();
      return percentile(times, 99);
    };
    const floor = await p99('responds');
    const ours = await p99('hangs');
    return { name: 'deliver-hanging', ratio: floor / ours, ours, floor, unit: 'ms' };
  });

/**
 * Measures how many destinations that all want the same alert are told a second. Floor: one destination that is told of as many alerts. Also what many
 * destinations cost that are told nothing.
 */
export const deliverMany: Benchmark = (context) =>
  withStack(context, async (bench) => {
    const idle = await bench.idleCpu();
    context.say(`without destinations: ${idle}`);
    const id = await bench.createDestination('told');
    const { rate: floor } = await bench.tellBacklog(id, context.rows);
    await bench.deleteDestinations();
    await bench.insertOthers(context.rows);
    await bench.createDestination('told');
    context.say(`with ${context.rows} that are told nothing: ${await bench.idleCpu()}`);
    context.say(`one more is told: ${await bench.latency(FEW)}`);
    await bench.haveAllTold();
    const ours = await bench.tellAll(context.rows);
    return { name: 'deliver-many', ratio: ours / floor, ours, floor, unit: 'messages/s' };
  });

const shown = (times: readonly number[]): string =>
  [50, 99, 100].map((share) => `p${share} ${round(percentile(times, share))} ms`).join(', ');

async function postAgain({ say }: BenchContext, target: Target): Promise<Speed> {
  const posted = await runBuilt<{ seconds: number; cpuSeconds: number; count: number }>(
    './deliver/poster.js',
    [target.url('floor')],
  );
  const speed = { rate: posted.count / posted.seconds, perCpuSecond: posted.count / posted.cpuSeconds };
  say(`floor ${shownSpeed(speed)}`);
  return speed;
}

const shownSpeed = ({ rate, perCpuSecond }: Speed): string =>
  `${Math.round(rate)} messages/s, ${Math.round(perCpuSecond)} a CPU second`;

async function withStack<Result>(
  context: BenchContext,
  measure: (bench: DeliveryBench) => Promise<Result>,
): Promise<Result> {
  const target = await Target.start();
  const stack = await startBenchStack(context, { OUTBOUND_ALLOW: target.host });
  try {
    return await measure(await DeliveryBench.start(context, stack, target));
  } finally {
    await stack.stop();
    await target.stop();
  }
}

/** An integration whose alerts are told to destinations. */
class DeliveryBench {
  readonly target: Target;
  readonly #context: BenchContext;
  readonly #stack: BenchStack;
  readonly #url: string;
  #runs = 0;

  private constructor(context: BenchContext, stack: BenchStack, target: Target, url: string) {
    this.#context = context;
    this.#stack = stack;
    this.target = target;
    this.#url = url;
  }

  static async start(context: BenchContext, stack: BenchStack, target: Target): Promise<DeliveryBench> {
    const made = await call(stack, 'POST', '/v2/webhooks', { name: 'bench', driftSeverity: null });
    await call(stack, 'PUT', `/v2/webhooks/${made.data.id}/mapping`, {
      fields: {
        title: { template: '{{webhook.alert.name}}' },
        description: { template: '{{webhook.alert.message}}' },
        severity: { template: '{{webhook.alert.severity}}' },
        source: { template: '{{webhook.metadata.service}}' },
        status: { template: '{{webhook.alert.status}}' },
        dedupKey: { template: '{{webhook.alert.key}}' },
      },
    });
    return new DeliveryBench(context, stack, target, made.data.url);
  }

  async createDestination(path: string): Promise<string> {
    const body = { name: path, preset: 'webhook', url: this.target.url(path), ratePerMinute: null };
    const made = await call(this.#stack, 'POST', '/v2/destinations', body);
    await sleep(this.#runs === 0 ? KNOWN_MS : 0);
    return made.data.id;
  }

  async deleteDestinations(): Promise<void> {
    const { data } = await call<{ data: { id: string }[] }>(
      this.#stack,
      'GET',
      '/v2/destinations?pageSize=100',
    );
    for (const { id } of data) await call(this.#stack, 'DELETE', `/v2/destinations/${id}`);
  }

  /** Sends alerts, and returns how long each took to be told, in milliseconds, as a text. */
  async latency(load: { count: number; rate: number }): Promise<string> {
    return shown(await this.times(load, 1));
  }

  /** Sends alerts, and returns how long it took until each of so many destinations was told of each. */
  async times({ count, rate }: { count: number; rate: number }, destinations: number): Promise<number[]> {
    await this.target.forget();
    const accepted = await this.#send(count, rate);
    const told = await this.target.until(count * destinations, WITHIN_MS);
    return told.flatMap(([key, at]) => at - (accepted[key] ?? Number.NaN));
  }

  /** Has alerts wait, and returns how many are told a second then. */
  async tellBacklog(id: string, count: number): Promise<Speed> {
    await this.target.forget();
    await call(this.#stack, 'PATCH', `/v2/destinations/${id}`, { paused: true });
    await this.#send(count, 0);
    await this.#untilWaiting(id, count);
    const before = cpuSeconds(this.#stack.worker.pid);
    await call(this.#stack, 'PATCH', `/v2/destinations/${id}`, { paused: false });
    const told = await this.target.until(count, WITHIN_MS);
    const cpu = cpuSeconds(this.#stack.worker.pid) - before;
    const at = told.map(([, time]) => time).sort((one, other) => one - other);
    const rate = (1_000 * (count - 1)) / ((at.at(-1) ?? 0) - (at[0] ?? 0));
    const speed = { rate, perCpuSecond: count / cpu };
    this.#context.say(`ours  ${shownSpeed(speed)} of the worker`);
    return speed;
  }

  /** Returns what the worker and the database spend while nothing happens, as a text. */
  async idleCpu(): Promise<string> {
    const spent = { worker: this.#stack.worker.pid, MariaDB: this.#context.pids.mariadb };
    const before = Object.values(spent).map(cpuSeconds);
    await sleep(IDLE_MS);
    return Object.entries(spent)
      .map(([name, pid], at) => {
        const share = (100_000 * (cpuSeconds(pid) - (before[at] ?? 0))) / IDLE_MS;
        return `${name} ${round(share)}% of a core`;
      })
      .join(', ');
  }

  /** Inserts destinations of another integration. */
  async insertOthers(count: number): Promise<void> {
    const webhookIds = [uuidv7()];
    await inTransaction(this.#stack.database, async (transaction) => {
      for (let number = 0; number < count; number++)
        await insertDestination(transaction, { ...this.target.newDestination('told'), webhookIds });
    });
  }

  async haveAllTold(): Promise<void> {
    await this.#stack.database('destinations').update({ webhook_ids: null });
  }

  /** Sends one alert, and returns how many destinations are told a second, from its acceptance. */
  async tellAll(count: number): Promise<number> {
    await this.target.forget();
    const [acceptedAt = 0] = Object.values(await this.#send(1, 1));
    const times = (await this.target.until(count, WITHIN_MS)).map(([, at]) => at - acceptedAt);
    this.#context.say(`all were told of one alert after: ${shown(times)}`);
    return (1_000 * count) / Math.max(...times);
  }

  #send(count: number, rate: number): Promise<Record<string, number>> {
    this.#runs += 1;
    const args = [this.#url, `run${this.#runs}`, String(count), String(rate)];
    return runBuilt<Record<string, number>>('./deliver/sender.js', args);
  }

  async #untilWaiting(id: string, count: number): Promise<void> {
    for (const giveUpAt = Date.now() + WITHIN_MS; Date.now() < giveUpAt; ) {
      const waiting = await this.#stack
        .database('messages')
        .where({ destination_id: id, state: 'waiting' })
        .count({ count: '*' })
        .first();
      if (Number(waiting?.count) >= count) return;
      await sleep(200);
    }
    throw new Error('the alerts did not become messages');
  }
}

async function call<Result = { data: { id: string; url: string } }>(
  { url, key }: BenchStack,
  method: string,
  path: string,
  body?: object,
): Promise<Result> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (response.status >= 300)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? {} : await response.json()) as Result;
}
