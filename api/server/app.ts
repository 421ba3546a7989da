import Koa from 'koa';
import helmet from 'koa-helmet';
import { routes } from '../routes/index.js';
import type { ApiServices } from '../services.js';
import { compressJson, serializeJson } from './middleware/compress-json.js';
import { limitTime } from './middleware/limit-time.js';
import { countRequests, logRequests, requestId } from './middleware/observe-requests.js';
import { sendErrors } from './middleware/send-errors.js';
import { mountRoutes } from './mount.js';
import { traceRequests } from './trace-requests.js';

/** Creates the HTTP application: the middleware that every request passes, then the routes. */
export function createApp(services: ApiServices): Koa {
  const app = new Koa();
  // Our own middleware sends and logs errors. Koa would print them, including SQL.
  app.silent = true;
  app.use(traceRequests);
  app.use(requestId);
  app.use(logRequests(services.log));
  app.use(countRequests(services.metrics.requests));
  app.use(compressJson);
  app.use(serializeJson);
  app.use(helmet({ crossOriginEmbedderPolicy: false }));
  app.use(sendErrors(services));
  app.use(limitTime(services.settings.requestTimeoutMs));
  mountRoutes(app, routes, services);
  return app;
}
