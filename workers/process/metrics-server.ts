import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { describeError } from './describe-error.js';
import type { Exposition } from './metrics.js';

/** A previous process that is still shutting down may hold the port for some seconds. */
const RETRY_EVERY_MS = 5_000;

/** Where metrics are served without an API key. */
export interface MetricsAddress {
  host: string;
  /** 0 means any free port; the log has its number. */
  port: number;
}

/** Returns what a process needs to work, and whether it is available, within about 1.5 s. */
export type Readiness = () => Promise<Record<string, boolean>>;

/**
 * Serves `GET /metrics` on a separate port, if there is an address, and for a worker `/healthz` and `/readyz`. If the port is
 * in use, it retries every 5 s: the process works without metrics too.
 * @param readiness for `/readyz`. The API serves both on its own port.
 * @returns a function that stops serving
 */
export function serveMetrics(
  address: MetricsAddress | null,
  metrics: Exposition,
  log: Logger,
  readiness?: Readiness,
): () => void {
  if (!address) return () => {};
  const limits = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };
  const pages: Pages = {
    '/metrics': async (res) =>
      sendText(res, 200, await metrics.scrape(), { 'Content-Type': metrics.contentType }),
    ...(readiness && {
      '/healthz': async (res) => sendJson(res, 200, { status: 'success' }),
      '/readyz': async (res) => sendReadiness(res, await readiness()),
    }),
  };
  const server = createServer(limits, (req, res) => void respond(req, res, pages, log));
  let again: NodeJS.Timeout | undefined;
  // Exclusive: processes that share the port of the API do not share this one.
  const listen = () => server.listen({ ...address, exclusive: true });
  server.on('listening', () => {
    const listening = server.address();
    const port = typeof listening === 'object' ? listening?.port : undefined;
    log.info({ host: address.host, port }, 'metrics are served');
  });
  server.on('error', (error: NodeJS.ErrnoException) => {
    log[again ? 'debug' : 'warn']({ ...address, code: error.code }, 'metrics cannot be served; retrying');
    again = setTimeout(listen, RETRY_EVERY_MS).unref();
  });
  listen();
  return () => end(server, again);
}

function end(server: Server, again: NodeJS.Timeout | undefined): void {
  clearTimeout(again);
  server.close();
  server.closeAllConnections();
}

type Pages = Record<string, (res: ServerResponse) => Promise<void>>;

async function respond(
  { method, url = '' }: IncomingMessage,
  res: ServerResponse,
  pages: Pages,
  log: Logger,
): Promise<void> {
  const [path = ''] = url.split('?');
  const send = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (!send) return sendText(res, 404, `This port serves ${Object.keys(pages).join(', ')}.\n`);
  if (method !== 'GET' && method !== 'HEAD') {
    return sendText(res, 405, `${path} can only be read.\n`, { Allow: 'GET, HEAD' });
  }
  try {
    await send(res);
  } catch (error) {
    log.error({ path, error: describeError(error) }, 'metrics could not be read');
    sendText(res, 500, 'The metrics could not be read. The log has the reason.\n');
  }
}

/** The same fields as those of the API's `/readyz`. */
function sendReadiness(res: ServerResponse, parts: Record<string, boolean>): void {
  const isReady = Object.values(parts).every(Boolean);
  sendJson(res, isReady ? 200 : 503, { status: isReady ? 'success' : 'error', ...parts });
}

const sendJson = (res: ServerResponse, status: number, body: object): void =>
  sendText(res, status, `${JSON.stringify(body)}\n`, { 'Content-Type': 'application/json; charset=utf-8' });

/** Sends a text. For HEAD, Node leaves out the body. */
function sendText(
  res: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...headers,
  });
  res.end(text);
}
