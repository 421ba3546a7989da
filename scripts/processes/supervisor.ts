import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, type Exit, type RunningProcess } from './running.js';

/** Something that is to run until it is told to stop. */
export interface Service<Running extends RunningProcess = RunningProcess> {
  name: string;
  /** How long it may take to end by itself, in milliseconds. */
  graceMs: number;
  /** Starts it. Rejects when it does not come up, or when `stop` asks to give up waiting for that. */
  start(stop: AbortSignal): Promise<Running>;
  /** What it last complained of, to be told beside the exit code; empty when unknown. */
  lastWords?(running: RunningProcess): string;
  /**
   * Tells whether a death has a cause outside of the service that passes by itself, such as a full disk, given why it died.
   * Such a death does not count, however often it happens, unless the cause is already gone when it is looked for.
   */
  outsideCause?(reason: string): OutsideCause | null;
}

export interface OutsideCause {
  /** In words, for the terminal. */
  why: string;
  /** Whether it is still there; until it is gone the service is not started. */
  lasts(): boolean;
}

export interface SupervisorEvents {
  /** It died; it is started again after `delayMs`. */
  died(name: string, reason: string, delayMs: number): void;
  /** It died of something outside of it, and is started again once that is gone. Told once for each such time. */
  waits(name: string, reason: string, why: string): void;
  /** It runs again, `pid` being the new process. */
  back(name: string, pid: number): void;
}

/** Thrown when a service dies again and again: what is wrong with it will not mend by itself. */
export class GaveUp extends Error {}

const deathsAllowed = 5;
const windowMs = 60_000;
const longestDelayMs = 5_000;
/** Between two looks at a cause outside of the service. */
const lookEveryMs = 1_000;

/**
 * How long to wait after the nth death within a minute: | 1: 0 | 2: 1.25 s | 3: 2.5 s | 4: 5 s | and the 5th ends it.
 */
export function restartDelayMs(deaths: number): number {
  return deaths <= 1 ? 0 : Math.min(1_250 * 2 ** (deaths - 2), longestDelayMs);
}

/** Keeps one service running: starts it again when it dies, later each time, and gives up on the fifth death in a minute. */
export class Supervisor<Running extends RunningProcess = RunningProcess> {
  /** Settles with the first start: the running service, or why it was given up before it ever ran. */
  readonly up: Promise<Running>;
  /** Rejects with GaveUp; resolves when it was stopped. */
  readonly over: Promise<void>;
  readonly #service: Service<Running>;
  readonly #events: SupervisorEvents;
  readonly #delayMs: (deaths: number) => number;
  readonly #stopping = new AbortController();
  readonly #first = withResolvers<Running>();
  #deaths: number[] = [];
  /** Deaths whose outside cause was gone at the first look. */
  #unexplained: number[] = [];
  #hasDied = false;
  #running: Running | undefined;

  /** @param delayMs how long to wait after the nth death within a minute */
  constructor(service: Service<Running>, events: SupervisorEvents, delayMs = restartDelayMs) {
    this.#delayMs = delayMs;
    this.#service = service;
    this.#events = events;
    this.up = this.#first.promise;
    this.over = this.#keepRunning();
    // Whoever waits for one of them hears of it; the other must not end the process as unhandled.
    this.up.catch(() => undefined);
    this.over.catch(() => undefined);
  }

  get name(): string {
    return this.#service.name;
  }

  /** Ends the service and the watching of it. Resolves when it is gone; may be called again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running?.stop(this.#service.graceMs);
    await this.over.catch(() => undefined);
  }

  async #keepRunning(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const reason = await this.#runOnce();
      // A Ctrl-C reaches all processes at once; this one may hear of a child's end before it hears of the signal.
      await pause(50, signal);
      if (signal.aborted) break;
      await this.#bury(reason);
    }
    this.#first.reject(new GaveUp(`${this.name} was stopped`));
  }

  /** Resolves with the reason when it has ended, or could not be started. */
  async #runOnce(): Promise<string> {
    try {
      const running = await this.#service.start(this.#stopping.signal);
      this.#running = running;
      this.#greet(running);
      if (this.#stopping.signal.aborted) void running.stop(this.#service.graceMs);
      return this.#reasonOf(await running.exited, running);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      this.#running = undefined;
    }
  }

  #greet(running: Running): void {
    if (this.#hasDied) this.#events.back(this.name, running.pid);
    this.#first.resolve(running);
  }

  #reasonOf(exit: Exit, running: Running): string {
    // Who is killed from outside does not get to say why.
    const words = exit.signal === 'SIGKILL' ? '' : (this.#service.lastWords?.(running) ?? '');
    return words === '' ? describeExit(exit) : `${describeExit(exit)}: ${words}`;
  }

  async #bury(reason: string): Promise<void> {
    this.#hasDied = true;
    const cause = this.#service.outsideCause?.(reason);
    if (cause && !this.#isInvisible(cause)) return this.#waitOut(cause, reason);
    this.#deaths = withinWindow(this.#deaths);
    if (this.#deaths.length >= deathsAllowed) throw this.#giveUp(reason);
    const delayMs = this.#delayMs(this.#deaths.length);
    this.#events.died(this.name, reason, delayMs);
    await pause(delayMs, this.#stopping.signal);
  }

  /**
   * Whether a cause that nobody can see has been blamed too often. A disk quota, for one, does not show in the free space,
   * so its service would be started every second for ever.
   */
  #isInvisible({ lasts }: OutsideCause): boolean {
    if (lasts()) return false;
    this.#unexplained = withinWindow(this.#unexplained);
    return this.#unexplained.length > deathsAllowed;
  }

  /** At least one look's time: a disk that is full and free in turns must not have it started in a tight loop. */
  async #waitOut({ why, lasts }: OutsideCause, reason: string): Promise<void> {
    this.#events.waits(this.name, reason, why);
    const { signal } = this.#stopping;
    do await pause(lookEveryMs, signal);
    while (!signal.aborted && lasts());
  }

  #giveUp(reason: string): GaveUp {
    const error = new GaveUp(
      `${this.name} ended ${deathsAllowed} times within a minute, at last by ${reason}`,
    );
    this.#first.reject(error);
    return error;
  }
}

/** Adds this moment to those of the last minute. */
function withinWindow(moments: readonly number[]): number[] {
  const now = Date.now();
  return [...moments.filter((moment) => moment > now - windowMs), now];
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** Promise.withResolvers, which Node 20 lacks. */
function withResolvers<Value>(): {
  promise: Promise<Value>;
  resolve(value: Value): void;
  reject(error: Error): void;
} {
  let resolve!: (value: Value) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
