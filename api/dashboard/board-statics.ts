import { createReadStream, readdirSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import type Router from '@koa/router';
import { notFound } from '../http/errors.js';

/** Serves the files of a folder under `/static`. The list is read once, so no request can name another file. */
export function mountStatics(router: Router, folder: string): void {
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), path]),
  );
  router.get('/static/*name', (ctx) => {
    const file = files.get(ctx.params.name as string);
    if (!file) throw notFound('file');
    ctx.set('Cache-Control', 'private, max-age=86400');
    ctx.type = extname(file);
    ctx.body = createReadStream(file);
  });
}
