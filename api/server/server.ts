import { createServer, type Server } from 'node:http';
import type Koa from 'koa';
import { badRequest, overloaded, RequestError } from '../http/errors.js';
import { answerEvent, isEvent } from '../routes/events/intake.js';
import type { Services } from '../services.js';
import { answerClientError, refuseRequest } from './client-errors.js';
import { limitConnections } from './connection-limit.js';

/**
 * An HTTP server with the limits that hold before a request is whole. Bodies have limits of their own, see
 * `middleware/limit-time.ts`: an upload may take long, if it keeps coming.
 */
export function createHttpServer(app: Koa, services: Services): Server {
  const limits = { headersTimeout: 10_000, requestTimeout: 0, connectionsCheckingInterval: 1_000 };
  // Node would answer a request without Host with an empty body; it is refused below.
  const ours = { requireHostHeader: false, keepAliveTimeout: 65_000 };
  const answer = app.callback();
  const server = createServer({ ...limits, ...ours }, (req, res) => {
    if (isSurplus(req)) return refuseRequest(res, tooManyConnections());
    if (req.httpVersion === '1.1' && req.headers.host === undefined) return refuseRequest(res, noHost());
    // Thousands of events a second come in a burst, and each layer that other requests pass costs as much as an event.
    if (isEvent(req)) void answerEvent(req, res, services);
    else void answer(req, res);
  });
  const isSurplus = limitConnections(server, services.settings.maxConnections);
  server.on('checkExpectation', (_req, res) => refuseRequest(res, unknownExpectation()));
  return server.on('clientError', answerClientError);
}

const noHost = (): RequestError =>
  badRequest('malformed_request', 'An HTTP/1.1 request needs a Host header.');

const tooManyConnections = (): RequestError => overloaded('This server has too many open connections');

const unknownExpectation = (): RequestError =>
  new RequestError(417, 'expectation_failed', 'Of expectations only 100-continue is known here.');

/** A request that is not done by then is cut, so that the process can still end in an orderly way. */
const CUT_AFTER_MS = 15_000;

/** Lets requests under way finish; connections are closed as soon as they are idle, or have had their answer. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.prependListener('request', (_req, res) => {
      res.shouldKeepAlive = false;
    });
    const closing = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearInterval(closing);
      resolve();
    });
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), CUT_AFTER_MS).unref();
  });
