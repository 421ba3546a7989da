import { type ChildProcess, execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.js';

/**
 * Holds the event loop of a process, as code that computes for too long does. Its threads, sockets and open transactions stay as they are, unlike
 * those of a process that is stopped or killed.
 */
export class HeldLoop {
  /** Environment variables of a process that can be held. */
  readonly env: Record<string, string>;
  readonly #pipe: string;

  /** @param folder a folder for a named pipe */
  constructor(folder: string) {
    this.#pipe = join(folder, 'hold-loop');
    execFileSync('mkfifo', [this.#pipe]);
    const script = new URL('hold-loop.mjs', import.meta.url).href;
    this.env = { NODE_OPTIONS: `--import=${script}`, HOLD_LOOP: this.#pipe };
  }

  /** Resolves, once the loop is held, to a function that lets it run again. */
  async hold(child: ChildProcess): Promise<() => void> {
    child.kill('SIGUSR2');
    let writer = this.#openForWriting();
    await until('the event loop is held', () => {
      writer ??= this.#openForWriting();
      return writer !== null;
    });
    return () => closeSync(writer as number);
  }

  /** Returns null as long as nobody reads the pipe. */
  #openForWriting(): number | null {
    try {
      return openSync(this.#pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENXIO') return null;
      throw error;
    }
  }
}
