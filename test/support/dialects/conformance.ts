import { request as httpRequest } from 'node:http';
import type { Stack } from '../servers/stack.js';

/** A request to a dialect. */
export interface Asked {
  method?: string;
  /** With its query. */
  path: string;
  headers?: Record<string, string>;
  /** Text, bytes, or a value that is sent as JSON. */
  body?: unknown;
}

export interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a body as received; the tests check its properties.
  body: any;
}

/** Sends a request with its path as it is: `fetch` would normalize it. */
export function ask(stack: Pick<Stack, 'port'>, asked: Asked): Promise<Received> {
  const { method = 'POST', path, headers = {}, body } = asked;
  const isSent = typeof body === 'string' || Buffer.isBuffer(body);
  const text = body === undefined ? '' : isSent ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: stack.port, method, path, headers, agent: false };
    const sent = httpRequest(
      { ...options, headers: { ...lengthOf(text, headers), ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
          const { statusCode = 0, headers } = response;
          resolve({
            ...{ status: statusCode, headers, text },
            body: isJson && text !== '' ? JSON.parse(text) : null,
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

const lengthOf = (text: string | Buffer, headers: object) =>
  'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(text) };

/** The token of a webhook URL. */
export const tokenOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
