import type { RunningProcess } from './running.js';
import { restartDelayMs, type Service, Supervisor, type SupervisorEvents } from './supervisor.js';

/** Services that live together: started in order, ended in the reverse order of their groups, all when one is given up. */
export class Crew {
  readonly #events: SupervisorEvents;
  readonly #delayMs: (deaths: number) => number;
  readonly #groups: Supervisor[][] = [];
  readonly #lost: Promise<never>;
  #reportLoss!: (error: Error) => void;
  #stopped: Promise<void> | undefined;

  /** @param delayMs how long to wait after the nth death of one of them within a minute */
  constructor(events: SupervisorEvents, delayMs = restartDelayMs) {
    this.#events = events;
    this.#delayMs = delayMs;
    this.#lost = new Promise((_, reject) => {
      this.#reportLoss = reject;
    });
    this.#lost.catch(() => undefined);
  }

  /** Rejects when one of them is given up; never resolves. */
  get lost(): Promise<never> {
    return this.#lost;
  }

  /**
   * Starts services that need not wait for one another.
   * @returns them, running, in the same order
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

  /** Ends all of them. May be called again: it is the same ending. */
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
