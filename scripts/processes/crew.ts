import type { RunningProcess } from './running.js';
import { restartDelayMs, type Service, Supervisor, type SupervisorEvents } from './supervisor.js';

/** Services that run together: started in order, stopped in the reverse order of their groups, all of them if one gives up. */
export class Crew {
  readonly #events: SupervisorEvents;
  readonly #delayMs: (exits: number) => number;
  readonly #groups: Supervisor[][] = [];
  readonly #lost: Promise<never>;
  #reportLoss!: (error: Error) => void;
  #stopped: Promise<void> | undefined;

  /** @param delayMs backoff after the nth exit of a service within a minute */
  constructor(events: SupervisorEvents, delayMs = restartDelayMs) {
    this.#events = events;
    this.#delayMs = delayMs;
    this.#lost = new Promise((_, reject) => {
      this.#reportLoss = reject;
    });
    this.#lost.catch(() => undefined);
  }

  /** Rejects when a service gives up. Never resolves. */
  get lost(): Promise<never> {
    return this.#lost;
  }

  /**
   * Starts services at the same time.
   * @returns the running services, in the same order
   * @throws GaveUp
   */
  async start<Started extends RunningProcess[]>(
    services: {
      [Index in keyof Started]: Service<Started[Index]>;
    },
  ): Promise<Started> {
    if (this.#stopped) throw new Error('stopped');
    const group = services.map((service) => new Supervisor(service as Service, this.#events, this.#delayMs));
    this.#groups.push(group);
    for (const { over } of group) over.catch(this.#reportLoss);
    return (await Promise.all(group.map(({ up }) => up))) as Started;
  }

  /** Stops all of them. Further calls return the same promise. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopGroups();
    return this.#stopped;
  }

  async #stopGroups(): Promise<void> {
    for (const group of [...this.#groups].reverse()) {
      await Promise.all(group.map((supervisor) => supervisor.stop()));
    }
  }
}
