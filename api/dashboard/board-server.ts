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

/** A page shows so many jobs of each state. */
const MAX_JOBS = 10;

/** Asks Redis; throws a `QueueUnavailable` when it does not answer. */
type Ask = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Takes what bull-board has for a web framework, and makes a router of it: only of what is read. Its own adapter for Koa
 * brings five packages to parse bodies, fill in templates and serve files, and answers errors with their own words.
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

  /** Ours answer errors: a client never sees a library's words. */
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

  /** To be called when all is set. */
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
      if (status >= 400) throw refused(status);
      ctx.status = status;
      ctx.body = body;
    });
  }
}

function queryOf({ query }: Context): object {
  // It decodes names once more, and stumbles over a lone percent sign. No name of ours has one.
  if (Object.values(query).flat().join().includes('%')) throw refused(400);
  const jobs = Number(query.jobsPerPage);
  return jobs > MAX_JOBS ? { ...query, jobsPerPage: String(MAX_JOBS) } : query;
}

function refused(status: number): RequestError {
  if (status === 404)
    return new RequestError(404, 'not_found', 'There is no such queue, or the job is no longer there.');
  if (status === 400) return new RequestError(400, 'invalid_query', 'Invalid query.');
  return new RequestError(status, 'refused', 'The dashboard does not do that.');
}
