import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { requireScope } from '../../access/auth.js';
import { RequestError } from '../../http/errors.js';
import type { Services } from '../../services.js';

const PATH = '/admin/queues';

/** bull-board styles elements in place; scripts come from this server alone. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

/**
 * The queue dashboard, for people with a key that has the scope admin. Browsers send it as the password of Basic: they
 * do so by themselves whoever asks, and so nothing but reading is done here.
 */
export function mountDashboard(router: Router, services: Services): void {
  let board: Middleware | undefined;
  const load = async () => {
    board ??= (await import('../../dashboard/board.js')).createBoard(PATH, services);
    return board;
  };
  router.all(`${PATH}{/*below}`, async (ctx, next) => {
    ctx.state.route = `${PATH}{/*below}`;
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw onlyRead();
    requireScope(await authenticate(ctx, services), ['admin']);
    // An open page asks every few seconds.
    ctx.state.quiet = true;
    // Browsers sign in here by themselves, so that another site could learn from the compressed length (BREACH).
    ctx.compress = false;
    const answer = await load();
    await answer(ctx, next);
    ctx.set({
      'Content-Security-Policy': POLICY,
      'Cache-Control': ctx.response.get('Cache-Control') || 'no-store',
    });
  });
}

/** As everywhere, or with the key as the password of any user. Asks browsers for it. */
async function authenticate(ctx: Context, { authenticator }: Services) {
  try {
    return await authenticator.authenticate(fromBasic(ctx.get('authorization')));
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 401) throw error;
    throw new RequestError(
      401,
      error.code,
      'Sign in with any user name, and as password an API key with the scope admin.',
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

const onlyRead = (): RequestError =>
  new RequestError(405, 'method_not_allowed', 'The queues can only be looked at here.', {
    headers: { Allow: 'GET, HEAD' },
  });
