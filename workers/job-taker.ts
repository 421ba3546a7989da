import { setMaxListeners } from 'node:events';
import type { Worker } from 'bullmq';
import { alertIntake } from './queues/contracts/alert-intake.js';
import type { Contract } from './queues/contracts/contract.js';
import { contracts, type JobName } from './queues/index.js';
import { shardName } from './queues/shards/intake-shards.js';
import { shardsInUse } from './queues/shards/shards-in-use.js';
import type { TakenQueue } from './run/queue-watch.js';
import type { WorkerServices } from './run/services.js';
import { UnknownVersions } from './run/unknown-versions.js';
import { type Taker, takeJobs } from './take-jobs.js';

/** How often a worker looks for new shards of the intake, in milliseconds. */
const LOOK_EVERY_MS = 2_000;

/**
 * Takes jobs from every queue of every contract, and from every shard of the intake that is in use, while it is not held: the worker of a host
 * whose clock is wrong would delay retries and schedules by as much.
 */
export class JobTaker {
  readonly #taker: Taker;
  readonly #queues: TakenQueue[] = [];
  readonly #workers: Worker[] = [];
  /** What the shards of each of the intake's queues share. */
  readonly #shares = alertIntake.queues.map((queue) => ({
    queue,
    share: new SharedConcurrency(alertIntake.concurrency),
  }));
  readonly #looking: NodeJS.Timeout;
  #shards = 0;
  #held = true;

  constructor(services: WorkerServices) {
    this.#taker = { services, unknown: new UnknownVersions(services.log) };
    // Every waiting job listens to this signal. Node would warn of a leak.
    setMaxListeners(0, services.closing);
    for (const name of Object.keys(contracts) as JobName[]) {
      if (name === alertIntake.name) this.#takeShards(services.settings.intakeShards);
      else for (const queue of contracts[name].queues) this.#take(name, queue);
    }
    this.#looking = setInterval(() => void this.#look(), LOOK_EVERY_MS);
  }

  /** The queues that jobs are taken from. More are added when shards come into use. */
  get queues(): readonly TakenQueue[] {
    return this.#queues;
  }

  /** Stops taking jobs, or takes them again. Jobs in progress go on. It takes none until this is called first. */
  hold(held: boolean): void {
    if (held === this.#held) return;
    this.#held = held;
    for (const worker of this.#workers) {
      if (held) void worker.pause(true);
      else this.#run(worker);
    }
  }

  get isHeld(): boolean {
    return this.#held;
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }

  /** Looks for shards that an API with another setting uses. */
  async #look(): Promise<void> {
    const { closing, redis, settings } = this.#taker.services;
    if (redis.status !== 'ready') return;
    const shards = await shardsInUse(redis, settings.redisPrefix).catch(() => 0);
    if (!closing.aborted) this.#takeShards(shards);
  }

  #takeShards(shards: number): void {
    for (; this.#shards < shards; this.#shards += 1)
      for (const { queue, share } of this.#shares)
        this.#take(alertIntake.name, shardName(queue, this.#shards), share);
  }

  #take(name: JobName, queueName: string, share?: SharedConcurrency): void {
    const { concurrency = 1, globalConcurrency }: Contract = contracts[name];
    const queue: TakenQueue = {
      name: queueName,
      concurrency,
      ...(globalConcurrency && { globalConcurrency }),
      running: 0,
      taken: 0,
    };
    const worker = takeJobs(queue, name, this.#taker, () => share?.divide());
    share?.add({ queue, worker });
    this.#queues.push(queue);
    this.#workers.push(worker);
    if (!this.#held) this.#run(worker);
  }

  #run(worker: Worker): void {
    const { closing, log } = this.#taker.services;
    const running = worker.isPaused() ? worker.resume() : worker.run();
    Promise.resolve(running).catch((error: Error) => {
      if (!closing.aborted) log.warn({ queue: worker.name, error: error.message }, 'queue error');
    });
  }
}

/** A queue that shares, and the worker that takes its jobs. */
interface Member {
  queue: TakenQueue;
  worker: { concurrency: number };
}

/**
 * Divides a number of jobs at a time among queues by what they have to do: a queue alone may run all of them. A queue always may
 * run one, even while others run all, so none starves.
 */
export class SharedConcurrency {
  readonly #total: number;
  readonly #members: Member[] = [];

  /** @param total jobs that may run at a time in all queues together */
  constructor(total: number) {
    this.#total = total;
  }

  add(member: Member): void {
    this.#members.push(member);
    this.divide();
  }

  /** Sets how many jobs each queue may run. Call it when a job has started or ended. */
  divide(): void {
    const running = this.#members.reduce((sum, { queue }) => sum + queue.running, 0);
    const free = Math.max(0, this.#total - running);
    for (const { queue, worker } of this.#members) {
      queue.concurrency = Math.max(1, queue.running + free);
      worker.concurrency = queue.concurrency;
    }
  }
}
