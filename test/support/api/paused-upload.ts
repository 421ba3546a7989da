import { Readable } from 'node:stream';
import type { ApiResponse, Client } from './client.js';

/** An upload of which only the start has been sent. */
export interface PausedUpload {
  /** Sends the rest. */
  resume(): void;
  response: Promise<ApiResponse>;
}

/** Uploads a CSV file, and pauses after its first piece. */
export function startPausedUpload(client: Client, [start, ...rest]: readonly Buffer[]): PausedUpload {
  let resume = () => {};
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  async function* body() {
    yield start;
    await resumed;
    yield* rest;
  }
  const init = {
    body: Readable.toWeb(Readable.from(body())),
    duplex: 'half',
    headers: { 'content-type': 'text/csv', prefer: 'respond-async' },
  };
  const response = client.send('PATCH', '/v2/developers/identities', init as RequestInit);
  return { resume, response };
}
