import { createServer } from 'node:http';

/**
 * A receiver of messages on 127.0.0.1 that keeps a ledger. `GET /ledger` returns the times of its responses by the key of the alert, `GET /bodies` the
 * bodies, `GET /count` how many there are; `DELETE /` forgets all. What is sent to `/hangs` gets no response.
 */
interface Entry {
  at: number;
  path: string;
  body: Buffer;
}

const KEY = /"dedupKey":"([^"]*)"/;
const now = (): number => performance.timeOrigin + performance.now();
const ledger: Entry[] = [];

const views: Record<string, () => unknown> = {
  'GET /count': () => ({ count: ledger.length, last: ledger.at(-1)?.at ?? null }),
  'GET /ledger': () => ledger.map(({ at, path, body }) => [KEY.exec(body.toString())?.[1] ?? '', at, path]),
  'GET /bodies': () => ledger.map(({ body }) => body.toString()),
  'DELETE /': () => void ledger.splice(0),
};

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const view = views[`${request.method} ${request.url}`];
    if (view) {
      response.end(JSON.stringify(view() ?? {}));
      return;
    }
    const path = request.url ?? '';
    if (path === '/hangs') return;
    response.writeHead(204).end();
    ledger.push({ at: now(), path, body: Buffer.concat(chunks) });
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
