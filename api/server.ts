import { createServer, type Server } from 'node:http';
import type Koa from 'koa';
import { answerClientError } from './client-errors.js';

/**
 * An HTTP server with the limits that hold before a request is whole. Bodies have limits of their own, see
 * `middleware/limit-time.ts`: an upload may take long, if it keeps coming.
 */
export function createHttpServer(app: Koa): Server {
  const limits = { headersTimeout: 10_000, requestTimeout: 0, connectionsCheckingInterval: 1_000 };
  const server = createServer({ ...limits, keepAliveTimeout: 65_000 }, app.callback());
  return server.on('clientError', answerClientError);
}

/** Lets requests under way finish; idle connections are closed at once. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
