import type {
  AppControllerRoute,
  AppViewRoute,
  BullBoardQueues,
  IServerAdapter,
  UIConfig,
} from '@bull-board/api/typings/app';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { RequestError } from '../http/errors.js';
import { boardPage } from './board-page.js';
import { mountStatics } from './board-statics.js';

/** Jobs per page. */
const MAX_JOBS = 10;

/** Runs work on Redis. @throws QueueUnavailable if Redis does not respond */
type Ask = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Collects the routes of bull-board, and returns a router for those that only read. bull-board's own adapter for Koa needs
 * five packages to parse bodies, render templates and serve files, and responds to errors in its own format.
 */
export class BoardServer implements IServerAdapter {
  readonly #basePath: string;
  #queues: BullBoardQueues = new Map();
  #folder = '';
  #statics = '';
  #config: UIConfig = {};
  #entry: AppViewRoute | null = null;
  #routes: AppControllerRoute[] = [];

  constructor(basePath: string) {
    this.#basePath = basePath;
  }

  setQueues(queues: BullBoardQueues): this {
    this.#queues = queues;
    return this;
  }

  setViewsPath(folder: string): this {
    this.#folder = folder;
    return this;
  }

  setStaticPath(_route: string, folder: string): this {
    this.#statics = folder;
    return this;
  }

  setEntryRoute(entry: AppViewRoute): this {
    this.#entry = entry;
    return this;
  }

  /** Does nothing: our own middleware responds to errors. */
  setErrorHandler(): this {
    return this;
  }

  setApiRoutes(routes: AppControllerRoute[]): this {
    this.#routes = routes;
    return this;
  }

  setUIConfig(config: UIConfig): this {
    this.#config = config;
    return this;
  }

  /** Returns the router. Call it after all setters. */
  routes(ask: Ask): Middleware {
    const router = new Router({ prefix: this.#basePath });
    this.#mountPage(router);
    mountStatics(router, this.#statics);
    for (const route of this.#routes) this.#mountRead(router, route, ask);
    return router.routes() as Middleware;
  }

  #mountPage(router: Router): void {
    const entry = this.#entry as AppViewRoute;
    const { params } = entry.handler({ basePath: this.#basePath, uiConfig: this.#config });
    const page = boardPage(this.#folder, params);
    for (const path of [entry.route].flat()) {
      router.get(path, (ctx) => {
        ctx.type = 'html';
        ctx.body = page;
      });
    }
  }

  #mountRead(router: Router, { method, route, handler }: AppControllerRoute, ask: Ask): void {
    if (![method].flat().includes('get')) return;
    router.get(route, async (ctx) => {
      const { params, headers } = ctx;
      const request = {
        queues: this.#queues,
        uiConfig: this.#config,
        params,
        query: queryOf(ctx),
        body: {},
        headers,
      };
      const { status = 200, body } = await ask(async () => handler(request as never));
      if (status >= 400) throw errorOf(status);
      ctx.status = status;
      ctx.body = body;
    });
  }
}

function queryOf({ query }: Context): object {
  // bull-board decodes names again, and fails at a lone percent sign. No name of ours has one.
  if (Object.values(query).flat().join().includes('%')) throw errorOf(400);
  const jobs = Number(query.jobsPerPage);
  return jobs > MAX_JOBS ? { ...query, jobsPerPage: String(MAX_JOBS) } : query;
}

function errorOf(status: number): RequestError {
  if (status === 404)
    return new RequestError(404, 'not_found', 'No such queue, or the job no longer exists.');
  if (status === 400) return new RequestError(400, 'invalid_query', 'Invalid query.');
  return new RequestError(status, 'refused', 'The dashboard is read-only.');
}
