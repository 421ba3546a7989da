import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { requireScope } from '../../access/auth.js';
import { methodNotAllowed, RequestError } from '../../http/errors.js';
import type { ApiServices } from '../../services.js';

const PATH = '/admin/queues';

/** bull-board uses inline styles. Scripts come only from this server. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

/**
 * Mounts the queue dashboard, for people whose key has the scope `admin`. Browsers send the key as the password of Basic
 * authentication. They also send it with requests that other sites cause, so the dashboard is read-only.
 */
export function mountDashboard(router: Router, services: ApiServices): void {
  let board: Middleware | undefined;
  const load = async () => {
    board ??= await (await import('../../dashboard/board.js')).createBoard(PATH, services);
    return board;
  };
  router.all(`${PATH}{/*below}`, async (ctx, next) => {
    ctx.state.route = `${PATH}{/*below}`;
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw readOnly();
    requireScope(await authenticate(ctx, services), ['admin']);
    // An open page polls every few seconds.
    ctx.state.quiet = true;
    // Browsers authenticate automatically, so another site could learn secrets from the compressed length (BREACH).
    ctx.compress = false;
    const serveBoard = await load();
    await serveBoard(ctx, next);
    ctx.set({
      'Content-Security-Policy': POLICY,
      'Cache-Control': ctx.response.get('Cache-Control') || 'no-store',
    });
  });
}

/** Authenticates by the usual header, or by Basic with the key as the password of any user. Makes browsers ask for it. */
async function authenticate(ctx: Context, { authenticator }: ApiServices) {
  try {
    return await authenticator.authenticate(fromBasic(ctx.get('authorization')));
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 401) throw error;
    throw new RequestError(
      401,
      error.code,
      'Sign in with any user name and, as the password, an API key that has the scope admin.',
      {
        headers: { 'WWW-Authenticate': 'Basic realm="Muster queues", charset="UTF-8"' },
      },
    );
  }
}

function fromBasic(header: string): string {
  const basic = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(header)?.[1];
  if (basic === undefined) return header;
  const pair = Buffer.from(basic, 'base64').toString('utf8');
  return `ApiKey ${pair.slice(pair.indexOf(':') + 1)}`;
}

const readOnly = (): RequestError => methodNotAllowed('The dashboard is read-only.', { Allow: 'GET, HEAD' });
