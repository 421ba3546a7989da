import type { Stack } from '../servers/stack.js';
import { checkContract } from './contract.js';

export interface ApiResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a body as received; the tests check its properties.
  body: any;
  text: string;
}

/** Sends requests with one API key to one address. Every response must be as the OpenAPI document describes it. */
export class Client {
  readonly #url: string;
  readonly #key: string | null;

  constructor(url: string, key: string | null) {
    this.#url = url;
    this.#key = key;
  }

  static async of(stack: Stack, ...scopes: Parameters<Stack['key']>): Promise<Client> {
    return new Client(stack.url, await stack.key(...scopes));
  }

  async send(method: string, path: string, init: RequestInit = {}): Promise<ApiResponse> {
    const authorization = this.#key ? { authorization: `ApiKey ${this.#key}` } : undefined;
    const headers = { ...authorization, ...(init.headers as Record<string, string>) };
    const response = await fetch(this.#url + path, { ...init, method, headers });
    const text = await response.text();
    checkContract(method, path, { status: response.status, headers: response.headers, text });
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : null,
      text,
    };
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.send('GET', path, { headers });
  }

  json(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return this.send(method, path, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  /** Uploads text or bytes as the file part. */
  upload(
    content: string | Uint8Array,
    query = '',
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const form = new FormData();
    form.append('file', new Blob([content as string]), 'identities.csv');
    return this.send('PATCH', `/v2/developers/identities${query}`, { body: form, headers });
  }

  /** Polls a job until it has ended. */
  async jobEnd(id: string, timeoutMs = 60_000): Promise<ApiResponse> {
    const until = Date.now() + timeoutMs;
    for (;;) {
      const response = await this.get(`/v2/jobs/${id}`);
      if (response.status === 200 && response.body.data.finishedAt) return response;
      if (Date.now() > until) throw new Error(`job ${id} has not ended: ${response.text}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
