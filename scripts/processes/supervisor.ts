import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, type Exit, type RunningProcess } from './running.js';

/** A process that should run until it is stopped. */
export interface Service<Running extends RunningProcess = RunningProcess> {
  name: string;
  /** How long it may take to exit after SIGTERM, in milliseconds. */
  graceMs: number;
  /** Starts it. Rejects if it does not become ready, or if `stop` is aborted first. */
  start(stop: AbortSignal): Promise<Running>;
  /** Returns its last error, to be shown with the exit code, or an empty text. */
  lastWords?(running: RunningProcess): string;
  /**
   * Returns the cause if the service exited because of something temporary outside it, such as a full disk. Such an exit does not
   * count, however often it happens, unless the cause is already gone when it is checked.
   */
  outsideCause?(reason: string): OutsideCause | null;
}

export interface OutsideCause {
  /** For the terminal. */
  why: string;
  /** Whether the cause still exists. The service is restarted when it is gone. */
  lasts(): boolean;
}

export interface SupervisorEvents {
  /** It exited and is restarted after `delayMs`. */
  died(name: string, reason: string, delayMs: number): void;
  /** It exited because of an outside cause, and is restarted once that is gone. Called once for each exit. */
  waits(name: string, reason: string, why: string): void;
  /** It is running again as process `pid`. */
  back(name: string, pid: number): void;
}

/** A service keeps exiting, so that restarting it is pointless. */
export class GaveUp extends Error {}

const maxExits = 5;
const windowMs = 60_000;
const maxDelayMs = 5_000;
/** Between two checks of an outside cause. */
const checkEveryMs = 1_000;

/**
 * Returns the backoff after the nth exit within a minute: | 1: 0 | 2: 1.25 s | 3: 2.5 s | 4: 5 s |. The 5th exit is the last.
 */
export function restartDelayMs(exits: number): number {
  return exits <= 1 ? 0 : Math.min(1_250 * 2 ** (exits - 2), maxDelayMs);
}

/** Keeps one service running: restarts it with backoff when it exits, and gives up on the fifth exit in a minute. */
export class Supervisor<Running extends RunningProcess = RunningProcess> {
  /** Settles with the first start: resolves to the running service, or rejects if it never ran. */
  readonly up: Promise<Running>;
  /** Resolves when the service was stopped, rejects with GaveUp. */
  readonly over: Promise<void>;
  readonly #service: Service<Running>;
  readonly #events: SupervisorEvents;
  readonly #delayMs: (exits: number) => number;
  readonly #stopping = new AbortController();
  readonly #first = withResolvers<Running>();
  #exits: number[] = [];
  /** Exits with an outside cause that was gone at the first check. */
  #unexplained: number[] = [];
  #hasExited = false;
  #running: Running | undefined;

  /** @param delayMs backoff after the nth exit within a minute */
  constructor(service: Service<Running>, events: SupervisorEvents, delayMs = restartDelayMs) {
    this.#delayMs = delayMs;
    this.#service = service;
    this.#events = events;
    this.up = this.#first.promise;
    this.over = this.#keepRunning();
    // A caller may await only one of them; the other must not be an unhandled rejection.
    this.up.catch(() => undefined);
    this.over.catch(() => undefined);
  }

  get name(): string {
    return this.#service.name;
  }

  /** Stops the service and its supervision. Resolves when it has exited; may be called again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running?.stop(this.#service.graceMs);
    await this.over.catch(() => undefined);
  }

  async #keepRunning(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const reason = await this.#runOnce();
      // Ctrl-C reaches all processes at once. This one may see the exit of a child before the signal.
      await pause(50, signal);
      if (signal.aborted) break;
      await this.#handleExit(reason);
    }
    this.#first.reject(new GaveUp(`${this.name} was stopped`));
  }

  /** Resolves to the reason when the service has exited or could not be started. */
  async #runOnce(): Promise<string> {
    try {
      const running = await this.#service.start(this.#stopping.signal);
      this.#running = running;
      this.#announce(running);
      if (this.#stopping.signal.aborted) void running.stop(this.#service.graceMs);
      return this.#reasonOf(await running.exited, running);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      this.#running = undefined;
    }
  }

  #announce(running: Running): void {
    if (this.#hasExited) this.#events.back(this.name, running.pid);
    this.#first.resolve(running);
  }

  #reasonOf(exit: Exit, running: Running): string {
    // A process that is killed from outside cannot log a reason.
    const words = exit.signal === 'SIGKILL' ? '' : (this.#service.lastWords?.(running) ?? '');
    return words === '' ? describeExit(exit) : `${describeExit(exit)}: ${words}`;
  }

  async #handleExit(reason: string): Promise<void> {
    this.#hasExited = true;
    const cause = this.#service.outsideCause?.(reason);
    if (cause && !this.#isNeverVisible(cause)) return this.#waitOut(cause, reason);
    this.#exits = withinWindow(this.#exits);
    if (this.#exits.length >= maxExits) throw this.#giveUp(reason);
    const delayMs = this.#delayMs(this.#exits.length);
    this.#events.died(this.name, reason, delayMs);
    await pause(delayMs, this.#stopping.signal);
  }

  /**
   * Returns whether an outside cause that is never visible was blamed too often. A disk quota, for example, does not show in the
   * free space, so the service would be restarted every second forever.
   */
  #isNeverVisible({ lasts }: OutsideCause): boolean {
    if (lasts()) return false;
    this.#unexplained = withinWindow(this.#unexplained);
    return this.#unexplained.length > maxExits;
  }

  /** Waits at least one interval, so that a disk that is alternately full and free does not cause a tight loop. */
  async #waitOut({ why, lasts }: OutsideCause, reason: string): Promise<void> {
    this.#events.waits(this.name, reason, why);
    const { signal } = this.#stopping;
    do await pause(checkEveryMs, signal);
    while (!signal.aborted && lasts());
  }

  #giveUp(reason: string): GaveUp {
    const error = new GaveUp(
      `${this.name} exited ${maxExits} times within a minute, most recently: ${reason}`,
    );
    this.#first.reject(error);
    return error;
  }
}

/** Returns the moments of the last minute, and this one. */
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
