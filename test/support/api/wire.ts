import { type IncomingHttpHeaders, request } from 'node:http';

export interface OnTheWire {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  /** The body as it was sent, compressed or not. */
  bytes: Buffer;
}

/** Sends a request without the headers that `fetch` adds, and does not decompress the response. */
export function onTheWire(
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<OnTheWire> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      resolve({ status: response.statusCode, headers: response.headers, bytes });
    });
    sent.on('error', reject).end();
  });
}
