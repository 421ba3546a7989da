import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { SecretBox } from '../../../workers/process/secret-box.js';
import { freePort } from '../../processes/free-port.js';
import { endProgram, startProgram, untilResponding } from '../children.js';
import { SECRET_KEY } from '../stack.js';

/** A receiver of messages, in a process of its own. */
export class Target {
  readonly host: string;
  readonly #process: ChildProcess;

  private constructor(host: string, child: ChildProcess) {
    this.host = host;
    this.#process = child;
  }

  static async start(): Promise<Target> {
    const port = await freePort();
    const child = startProgram('./deliver/receiver.js', { PORT: String(port) });
    const target = new Target(`127.0.0.1:${port}`, child);
    await untilResponding(target.url('hangs-not'));
    await target.forget();
    return target;
  }

  url(path: string): string {
    return `http://${this.host}/${path}`;
  }

  /** A new destination that wants all, without limit. */
  newDestination(path: string) {
    const id = uuidv7();
    const none = {
      secret: null,
      previousSecret: null,
      previousSecretExpiresAt: null,
      headers: null,
    };
    return {
      ...{ id, name: path, description: '', preset: 'webhook', host: this.host },
      author: { id: uuidv7(), name: 'bench' },
      url: new SecretBox(SECRET_KEY).seal(this.url(path), id),
      ...none,
      ...{
        webhookIds: null,
        filter: null,
        body: null,
        severityAtLeast: null,
        ratePerMinute: null,
        repeatEveryMinutes: null,
        digestAbove: null,
        managedBy: null,
        pausedAt: null,
      },
      types: ['alert.fired', 'alert.changed', 'alert.resolved'],
      mode: 'every' as const,
      settleSeconds: 0,
    };
  }

  async forget(): Promise<void> {
    await fetch(this.url(''), { method: 'DELETE' });
  }

  /** Waits until it has got so many messages. Returns when it responded to each, in milliseconds since 1970. */
  async until(count: number, withinMs: number): Promise<[key: string, at: number, path: string][]> {
    for (const giveUpAt = Date.now() + withinMs; ; await sleep(100)) {
      const got = (await this.#get('count')) as { count: number };
      if (got.count >= count) break;
      if (Date.now() > giveUpAt) throw new Error(`${got.count} of ${count} messages arrived`);
    }
    return (await this.#get('ledger')) as [string, number, string][];
  }

  async #get(path: string): Promise<unknown> {
    return (await fetch(this.url(path))).json();
  }

  stop(): Promise<void> {
    return endProgram(this.#process);
  }
}
