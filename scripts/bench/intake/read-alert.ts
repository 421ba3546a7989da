import type { IncomingMessage } from 'node:http';

/** Reads a body to its end and parses it, as a plain Koa server does. */
export async function readAlert(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
