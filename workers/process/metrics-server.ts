import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { describeError } from './describe-error.js';
import type { Exposition } from './metrics.js';

/** An old process that still ends may hold the port for as long as it is given. */
const TRY_EVERY_MS = 5_000;

/** Where metrics are served without a key. */
export interface MetricsAddress {
  host: string;
  /** 0: any free port; the log tells which. */
  port: number;
}

/**
 * Serves `GET /metrics` on a port of its own, if it is given one; answers a function that ends that. A port that is taken is tried again every
 * 5 s: that nobody can look is no reason not to work.
 */
export function serveMetrics(address: MetricsAddress | null, metrics: Exposition, log: Logger): () => void {
  if (!address) return () => {};
  const limits = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };
  const server = createServer(limits, (req, res) => void answer(req, res, metrics, log));
  let again: NodeJS.Timeout | undefined;
  const listen = () => server.listen(address.port, address.host);
  server.on('listening', () => {
    const { port } = server.address() as AddressInfo;
    log.info({ host: address.host, port }, 'metrics are served');
  });
  server.on('error', (error: NodeJS.ErrnoException) => {
    log[again ? 'debug' : 'warn']({ ...address, code: error.code }, 'metrics cannot be served; trying on');
    again = setTimeout(listen, TRY_EVERY_MS).unref();
  });
  listen();
  return () => end(server, again);
}

function end(server: Server, again: NodeJS.Timeout | undefined): void {
  clearTimeout(again);
  server.close();
  server.closeAllConnections();
}

async function answer(
  { method, url = '' }: IncomingMessage,
  res: ServerResponse,
  metrics: Exposition,
  log: Logger,
): Promise<void> {
  if (url.split('?')[0] !== '/metrics') return say(res, 404, 'Metrics are at /metrics.\n');
  if (method !== 'GET' && method !== 'HEAD') {
    return say(res, 405, 'Metrics can only be read.\n', { Allow: 'GET, HEAD' });
  }
  try {
    say(res, 200, await metrics.scrape(), { 'Content-Type': metrics.contentType });
  } catch (error) {
    log.error({ error: describeError(error) }, 'metrics could not be told');
    say(res, 500, 'The metrics could not be told; the log has the reason.\n');
  }
}

/** To a HEAD Node sends the same without the text. */
function say(res: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  res.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...headers,
  });
  res.end(text);
}
