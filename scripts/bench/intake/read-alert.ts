import type { IncomingMessage } from 'node:http';

/** Reads a body to its end, as a plain Koa server does. */
export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Reads a body and parses it. */
export const readAlert = async (request: IncomingMessage): Promise<unknown> =>
  JSON.parse(await readText(request));
