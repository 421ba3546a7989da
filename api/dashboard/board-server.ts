import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import type {
  AppControllerRoute,
  AppViewRoute,
  BullBoardQueues,
  IServerAdapter,
  UIConfig,
} from '@bull-board/api/typings/app';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { notFound, RequestError } from '../http/errors.js';

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
    const entry = this.#entry;
    if (!entry) throw new Error('the dashboard has no page: call setEntryRoute first');
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

/**
 * Returns a page that loads bull-board's scripts and styles. Its own page loads fonts from another site, and has inline
 * styles and attributes that our content security policy blocks, so only the names of its files are taken from it.
 * @param folder the folder of bull-board's built page
 * @param params the values that bull-board inserts into its page; `uiConfig` is JSON without angle brackets
 * @throws Error if the built page does not have the expected format
 */
function boardPage(folder: string, params: Record<string, string>): string {
  const built = readFileSync(join(folder, 'index.ejs'), 'utf8');
  const styles = built.match(/<link href="static\/css\/[^"]+" rel="stylesheet">/g);
  const scripts = built.match(/<script defer src="static\/js\/[^"]+"><\/script>/g);
  if (!styles || !scripts) throw new Error('the page of @bull-board/ui is not as expected');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<base href="${params.basePath}">
<title>${params.title}</title>
<link rel="icon" type="image/svg+xml" href="${params.favIconDefault}">
${styles.join('\n')}
</head>
<body>
<script id="__UI_CONFIG__" type="application/json">${params.uiConfig}</script>
<div id="root">Loading</div>
${scripts.join('\n')}
</body>
</html>
`;
}

/** Serves the files of a folder under `/static`. The list is read once, so no request can name another file. */
function mountStatics(router: Router, folder: string): void {
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), path]),
  );
  router.get('/static/*name', (ctx) => {
    const file = files.get(ctx.params.name ?? '');
    if (!file) throw notFound('file');
    ctx.set('Cache-Control', 'private, max-age=86400');
    ctx.type = extname(file);
    ctx.body = createReadStream(file);
  });
}
