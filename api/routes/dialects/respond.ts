import type { IncomingMessage, ServerResponse } from 'node:http';
import { uuidv7 } from 'uuidv7';
import { contentCoding } from '../../http/content-coding.js';
import { badRequest, methodNotAllowed, notFound, RequestError, tooLarge } from '../../http/errors.js';
import { askForBody, awaitsContinue } from '../../http/expect.js';
import { isShort, lingerAfterResponse } from '../../http/linger.js';
import { BufferReservation, IntakeBuffer } from '../../intake/buffer.js';
import { CODINGS } from '../../intake/request/decompress.js';
import { eventText, plainBody } from '../../intake/request/event-text.js';
import { TruncatedBody } from '../../intake/request/read-event-body.js';
import { HIDDEN, withoutToken } from '../../intake/token.js';
import type { TokenTarget } from '../../intake/webhook-directory.js';
import type { ApiServices } from '../../services.js';
import { givenRequestId, toRequestError } from '../events/intake.js';
import { readLog } from '../heartbeats/read-log.js';
import type { Call } from './address.js';
import {
  type Address,
  type Body,
  type Dialect,
  type DialectRoute,
  type Exchange,
  INVALID,
  isObject,
  type Received,
  type Reply,
} from './dialect.js';
import { editMembers, memberOf } from './edit-members.js';

/** Of requests whose token is in the body, until that is read. */
const NOBODY = '';

/** Responds to a request in its dialect, whatever becomes of it. Never rejects. */
export async function respondToCall(
  call: Call,
  req: IncomingMessage,
  res: ServerResponse,
  services: ApiServices,
): Promise<void> {
  const exchange = exchangeOf(givenRequestId(req));
  try {
    send(call, res, await receive(call, req, res, { services, exchange }), exchange);
  } catch (error) {
    const rejection = toRequestError(error, exchange.requestId, services);
    services.intake.rejections.count(rejection.status, rejection.code);
    send(call, res, call.dialect.rejection(rejection, exchange), exchange);
  }
}

/** Rejects a request before it is routed, and closes the connection. */
export function rejectCall(call: Call, res: ServerResponse, error: RequestError): void {
  const exchange = exchangeOf(undefined);
  const reply = call.dialect.rejection(error, exchange);
  send(call, res, { ...reply, headers: { ...reply.headers, Connection: 'close' } }, exchange);
}

function exchangeOf(requestId: string = uuidv7()): Exchange {
  const startedAt = performance.now();
  return { requestId, took: () => (performance.now() - startedAt) / 1_000 };
}

/** Returns the pattern of the route of a call, for traces. */
export const routeNameOf = ({ dialect, address }: Call): string =>
  dialect.routes.find(({ path }) => path.test(address.path))?.name ?? 'dialect';

function send({ dialect, address }: Call, res: ServerResponse, reply: Reply, exchange: Exchange): void {
  if (res.headersSent || !res.writable) return;
  const { req } = res;
  const body = reply.text ?? (reply.body === null ? '' : JSON.stringify(reply.body));
  const type = reply.text === undefined ? 'application/json' : 'text/plain';
  const unread = !req.complete && (reply.status === 408 || awaitsContinue(req) || !isShort(req));
  if (unread) lingerAfterResponse(req);
  else req.resume();
  res.writeHead(reply.status, {
    ...(body === '' ? {} : { 'Content-Type': `${type}; charset=utf-8` }),
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': exchange.requestId,
    ...dialect.headers?.(exchange),
    ...reply.headers,
    ...(unread ? { Connection: 'close' } : {}),
  });
  res.end(address.method === 'HEAD' ? undefined : body);
}

interface Context {
  services: ApiServices;
  exchange: Exchange;
}

async function receive(
  call: Call,
  req: IncomingMessage,
  res: ServerResponse,
  context: Context,
): Promise<Reply> {
  const route = routeOf(call);
  const { dialect, address } = call;
  const token = address.token ?? dialect.tokenOf(address, null);
  const senderOf = async (key: string | null): Promise<Sender> => {
    const found = await findSender(key, context);
    context.services.intake.senders.count(found.target, placeOf(address, route), req.headers);
    return found;
  };
  const known = token === undefined ? null : await senderOf(token);
  const content = await contentOf(req, res, known, { route, ...context });
  try {
    const member = (name: string) => memberOf(content.text, name);
    const sender = known ?? (await senderOf(dialect.tokenOf(address, member) ?? null));
    return await handle({ call, route, req, res, sender, content }, context);
  } finally {
    content.release();
  }
}

/** Returns where a request goes, for counts of senders: the API, such as `/v2/alerts`, rather than each of its paths. */
const placeOf = ({ token }: Address, { name }: DialectRoute) => ({
  path: name.split('/', 3).join('/'),
  atRoot: token === null,
});

/** The integration of a request, and the token that says so. */
interface Sender {
  token: string;
  target: TokenTarget;
}

/** A body as it was sent, and its JSON text, which is an object. */
interface Content {
  sent: Buffer;
  text: string;
  release(): void;
}

const NO_BODY: Content = { text: '{}', sent: Buffer.alloc(0), release: () => {} };

/** @throws RequestError 404 for a path that the dialect does not have, 405 for another method */
function routeOf({ dialect, address }: Call): DialectRoute {
  const { method, path } = address;
  const here = dialect.routes.filter((route) => route.path.test(path));
  const route = here.find(({ methods }) => methods.includes(method));
  if (route) return route;
  if (here.length === 0) throw notFound('path');
  const allowed = [...new Set(here.flatMap(({ methods }) => methods))].join(', ');
  throw methodNotAllowed(`Request method '${method}' not supported`, { Allow: allowed });
}

/** @throws RequestError 401 `missing_key` or `unknown_key` */
async function findSender(token: string | null, { services }: Context): Promise<Sender> {
  if (token === null || token === '') throw new RequestError(401, 'missing_key', 'The request has no key.');
  const { directory } = services.intake;
  try {
    return { token, target: directory.known(token) ?? (await directory.find(token)) };
  } catch (error) {
    if (error instanceof RequestError && error.status === 404)
      throw new RequestError(401, 'unknown_key', 'There is no integration with this key.');
    throw error;
  }
}

/**
 * Reads what a route takes of a request. Call `release` when it is not needed any more.
 * @param sender null: its token is in the body
 */
async function contentOf(
  req: IncomingMessage,
  res: ServerResponse,
  sender: Sender | null,
  context: { route: DialectRoute; services: ApiServices },
): Promise<Content> {
  const { route, services } = context;
  if (route.bodiless) return NO_BODY;
  if (!route.isLog || !sender) return readBody(req, res, sender, context);
  const { intake } = services;
  intake.rejectWhenFull(sender.target);
  const { log, release } = await readLog(req, res, { intake, target: sender.target });
  return { ...NO_BODY, sent: log, release };
}

async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  sender: Sender | null,
  { route, services }: { route: DialectRoute; services: ApiServices },
): Promise<Content> {
  const { intake, settings } = services;
  // Senders of lists repeat one that is too large with each round, and it never arrives.
  const limit = route.isList ? IntakeBuffer.largestBody(settings.intakeBufferBytes) : settings.intakeMaxBytes;
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced > limit) throw tooLarge(limit, 'body');
  const coding = contentCoding(req.headers['content-encoding'], CODINGS);
  if (sender) intake.rejectWhenFull(sender.target);
  const reservation = new BufferReservation(intake.buffer, sender?.target.webhook.id ?? NOBODY, announced);
  const reserve = (bytes: number) => reservation.growTo(bytes);
  const release = () => reservation.release();
  let sent = NO_BODY.sent;
  let recorded = sent;
  try {
    askForBody(req, res);
    sent = await intake.bodies.read(req, limit, reserve);
    recorded = sent;
    if (sent.length === 0 && !route.isList) return { ...NO_BODY, release };
    const plain = await plainBody(req.headers, { body: sent, coding, limit, reserve });
    recorded = plain;
    const text = (await eventText(plain, req.headers['content-type'], { limit, reserve })).replace(MARK, '');
    const [expected, noun] = route.isList ? [LIST, 'array'] : [OBJECT, 'object'];
    if (!route.isAny && !expected.test(text))
      throw badRequest('malformed_json', `The body is not a JSON ${noun}.`);
    return { text, sent, release };
  } catch (error) {
    release();
    const start = error instanceof TruncatedBody ? error.start : recorded;
    if (sender && error instanceof RequestError) await record(services, req, sender, start, error);
    throw error;
  }
}

/** Notes why a request was rejected, and stores what was sent, without its key, unless sending it again may help. */
async function record(
  { intake }: ApiServices,
  req: IncomingMessage,
  { token, target }: Sender,
  sent: Buffer,
  error: RequestError,
): Promise<void> {
  intake.directory.refused(target, error.code);
  if (error.status >= 500 || error.status === 429) return;
  await intake.recordRejected(target, req, withoutToken(sent, token), error);
}

const MARK = /^\uFEFF/;
const [OBJECT, LIST] = [/^\s*\{/, /^\s*\[/];

/** Returns what is stored of a body that is JSON but not accepted: it may be compressed, escaped, or have another key than the URL. */
const shown = (text: string, { withoutKeys }: Dialect): Buffer =>
  Buffer.from(withoutKeys ? editMembers(text, withoutKeys) : text);

/** How JSON may write a character of a key: none of `<`, `>` and `&`, which Go escapes everywhere. */
const ESCAPED = /\\u00(?:2[de]|3\d|[46][1-9a-f]|5[\daf]|7[\dae])/i;

/** Returns a list without the key of the request, which a client may have put into it, escaped or not. */
const withoutKey = (list: readonly unknown[], text: string, token: string): readonly unknown[] =>
  text.includes(token) || ESCAPED.test(text) ? list.map((value) => hiddenIn(value, token)) : list;

/** Its depth has been checked. */
function hiddenIn(value: unknown, token: string): unknown {
  if (typeof value === 'string') return value.replaceAll(token, HIDDEN);
  if (Array.isArray(value)) return value.map((one) => hiddenIn(one, token));
  if (!isObject(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, one]) => [name.replaceAll(token, HIDDEN), hiddenIn(one, token)]),
  );
}

interface Request {
  call: Call;
  route: DialectRoute;
  req: IncomingMessage;
  res: ServerResponse;
  sender: Sender;
  content: Content;
}

async function handle(
  { call: { address, dialect }, route, req, res, sender, content }: Request,
  context: Context,
): Promise<Reply> {
  const { intake } = context.services;
  const { target } = sender;
  const { text, sent } = content;
  const value = JSON.parse(text);
  const body: Body = isObject(value) ? value : {};
  const list = route.isList ? withoutKey(value, text, sender.token) : [];
  let events = 0;
  const accept: Received['accept'] = (write, key = null) => {
    intake.rejectWhenFull(target);
    const writeHidden = (id: string) => write(id).replaceAll(sender.token, HIDDEN);
    return intake.acceptWritten(
      target,
      { req, res },
      { body: sent, text },
      { write: writeHidden, key, number: events++ },
    );
  };
  const acceptAll: Received['acceptAll'] = (alerts) =>
    intake.acceptAll(target, { req, res }, { body: sent, alerts });
  const captures = route.path.exec(address.path)?.slice(1) ?? [];
  try {
    if (route.reads) await intake.requireSignature(target, req.headers);
    return await route.handle({
      address,
      captures,
      target,
      body,
      list,
      text,
      log: withoutToken(sent, sender.token),
      req,
      res,
      ...context,
      accept,
      acceptAll,
    });
  } catch (error) {
    if (error instanceof RequestError && error.code === INVALID)
      await record(context.services, req, sender, shown(text, dialect), error);
    else if (error instanceof RequestError) intake.directory.refused(target, error.code);
    throw error;
  }
}
