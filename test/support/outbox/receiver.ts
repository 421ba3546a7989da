import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver got. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  at: number;
}

/** Responds to a request; a response that is not ended hangs. */
export type Respond = (response: ServerResponse, received: Received) => void;

export const ok: Respond = (response) => void response.writeHead(204).end();
export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Respond =>
  (response) =>
    void response.writeHead(code, headers).end(body);

/** A receiver of messages on this machine, which keeps a ledger of its requests. */
export class Receiver {
  /** All requests, in the order in which they arrived, whatever it responded. */
  readonly all: Received[] = [];
  /** Those that got 2xx. */
  readonly accepted: Received[] = [];
  respond: Respond = ok;
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = {
        path: request.url ?? '',
        headers: request.headers,
        text: Buffer.concat(chunks).toString(),
        at: Date.now(),
      };
      this.all.push(received);
      response.on('finish', () => {
        if (response.statusCode < 300) this.accepted.push(received);
      });
      this.respond(response, received);
    });
  });

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** The host and port, as an allow list has it. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  /** Forgets all requests, and responds with 204 again. */
  clear(): void {
    this.all.length = 0;
    this.accepted.length = 0;
    this.respond = ok;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
