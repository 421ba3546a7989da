import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { checkContract } from '../api/contract.js';

/** A request that goes out as it is. `fetch` would correct the path and some headers. */
export interface RawRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Every request of these tests gets a response long before this time, even while other programs keep the machine busy. */
const WITHIN_MS = 50_000;

/** Sends requests over a few connections. Every response must be as the OpenAPI document describes it. */
export class RawSender {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });

  constructor(port: number) {
    this.#port = port;
  }

  /** @throws Error if there is no response in time, or one that the OpenAPI document does not describe */
  async send(sent: RawRequest): Promise<RawResponse> {
    const response = await this.#exchange(sent);
    const headers = new Headers();
    for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value));
    checkContract(sent.method, sent.path, { status: response.status, headers, text: response.text });
    return response;
  }

  close(): void {
    this.#agent.destroy();
  }

  #exchange({ method, path, headers = {}, body }: RawRequest): Promise<RawResponse> {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path };
    return new Promise((resolve, reject) => {
      const outgoing = request({ ...options, headers: { ...length, ...headers } }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () => {
          const { statusCode: status = 0, headers: arrived } = incoming;
          resolve({ status, headers: arrived, text: Buffer.concat(chunks).toString() });
        });
      });
      const late = new Error(`${method} ${path}: no response within ${WITHIN_MS / 1_000} s`);
      outgoing.setTimeout(WITHIN_MS, () => outgoing.destroy(late));
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  }
}
