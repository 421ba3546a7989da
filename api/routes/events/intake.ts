import type { IncomingMessage, ServerResponse } from 'node:http';
import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import { isDatabaseUnavailable } from '../../../db/client/errors.js';
import { QueueUnavailable } from '../../../workers/queues/producer.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_QUERY } from '../../endpoint/route.js';
import { contentCoding } from '../../http/content-coding.js';
import { errorBody, internalError, RequestError, tooLarge, unavailable } from '../../http/errors.js';
import { askForBody, awaitsContinue } from '../../http/expect.js';
import { isShort, lingerAfterResponse } from '../../http/linger.js';
import { SAFE_REQUEST_ID } from '../../http/request-id.js';
import { BufferReservation } from '../../intake/buffer.js';
import { type ChallengeResponse, challengeOfPost } from '../../intake/challenge.js';
import { CODINGS } from '../../intake/request/decompress.js';
import { rejectByHeaders } from '../../intake/request/event-text.js';
import { TruncatedBody } from '../../intake/request/read-event-body.js';
import type { ApiServices } from '../../services.js';

export const INTAKE_PREFIX = '/api/v1/webhook/';

export const postEvent = defineRoute({
  method: 'post',
  path: `${INTAKE_PREFIX}{webhook_id}`,
  operationId: 'sendEvent',
  changesNothing: true,
  tag: 'Webhook',
  summary: 'Send an event. Responds once the event is safely queued',
  description:
    'Takes any JSON document up to 1 MiB, with any Content-Type, or a form of at most 1,000 fields. A form with a single field that ' +
    'holds a JSON object or list, such as `payload={…}`, is that JSON, also as multipart/form-data; any other form becomes an object ' +
    'of texts. The charset may be any that `Content-Type` declares. The body may be compressed, or encoded ' +
    '(`Content-Transfer-Encoding`). To make retries safe, send a delivery id in `webhook-id`, `svix-id`, `Idempotency-Key`, ' +
    '`X-GitHub-Delivery` or `x-amz-sns-message-id`. `Location` is the receipt.',
  scopes: 'public',
  query: NO_QUERY,
  params: z.object({ webhook_id: z.string().max(255).meta({ description: 'The secret part of the URL' }) }),
  // Without `webhook-id`: generators make one word of it and of the parameter `webhook_id`, and their client does not compile.
  headers: ['Content-Encoding', 'svix-id', 'Idempotency-Key', 'X-GitHub-Delivery', 'x-amz-sns-message-id'],
  requestBody: {
    'application/json': z.unknown(),
    'application/x-www-form-urlencoded': z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    'multipart/form-data': z.object({ payload: z.string() }),
  },
  responses: {
    200: {
      description: 'The request is a challenge that the integration responds to. Nothing is stored',
      body: { 'text/plain': z.string(), 'application/json': z.object({ validationResponse: z.string() }) },
    },
    202: {
      description: 'Accepted. The event will be stored exactly once',
      body: z.object({ ...success, message: z.string(), eventId: z.uuid() }),
      headers: { Location: 'always', RateLimit: 'sometimes', 'RateLimit-Policy': 'sometimes' },
    },
    ...failures(401, 404, 413, 415, 429),
  },
  handle: async ({ ctx, services }) => {
    ctx.respond = false;
    await respondToEvent(ctx.req, ctx.res, services);
  },
});

/**
 * True for requests that `respondToEvent` handles, ahead of the router and its middleware. Pings of heartbeats have a longer path, and so
 * have requests in a dialect.
 */
export const isEvent = ({ method, url }: IncomingMessage): boolean =>
  method === 'POST' && url !== undefined && url.startsWith(INTAKE_PREFIX) && !PING_PATH.test(url);

const PING_PATH = /^[^?]{1,300}\/heartbeat\//;

/**
 * Queues an event and responds. Bypasses the middleware of all other requests for speed, and does here what is needed of it.
 * Never rejects.
 */
export function respondToEvent(
  req: IncomingMessage,
  res: ServerResponse,
  services: ApiServices,
): Promise<void> {
  return receive(req, res, services).then(
    (accepted) => (typeof accepted === 'string' ? accept(req, res, accepted) : repeat(req, res, accepted)),
    (error) => reject(req, res, services, error),
  );
}

/** Where plain events go, for counts of senders. */
const WEBHOOK_URL = { path: '', atRoot: false };

function accept(req: IncomingMessage, res: ServerResponse, eventId: string): void {
  const body = `{"status":"success","message":"Event accepted.","eventId":"${eventId}"}`;
  res.writeHead(202, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    Location: `/v2/events/${eventId}`,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': givenRequestId(req) ?? eventId,
  });
  res.end(body);
}

/** Sends the response to a challenge. */
function repeat(req: IncomingMessage, res: ServerResponse, { contentType, body }: ChallengeResponse): void {
  res.writeHead(200, {
    'Content-Type': contentType,
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': givenRequestId(req) ?? uuidv7(),
  });
  res.end(body);
}

/** Resolves to the id of the event, or to the response if the request is a challenge. */
async function receive(
  req: IncomingMessage,
  res: ServerResponse,
  services: ApiServices,
): Promise<string | ChallengeResponse> {
  const { intake, settings } = services;
  const token = tokenOf(req);
  const target = intake.directory.known(token) ?? (await intake.directory.find(token));
  intake.senders.count(target, WEBHOOK_URL, req.headers);
  const limit = settings.intakeMaxBytes;
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced > limit) throw tooLarge(limit, 'body');
  const coding = contentCoding(req.headers['content-encoding'], CODINGS);
  intake.rejectWhenFull(target);
  const reservation = new BufferReservation(intake.buffer, target.webhook.id, announced);
  try {
    const reserve = (bytes: number) => reservation.growTo(bytes);
    if (awaitsContinue(req)) rejectByHeaders(req.headers);
    askForBody(req, res);
    const body = await intake.bodies.read(req, limit, reserve);
    const response = challengeOfPost(target.webhook.challenge, req, body);
    if (response) return response;
    return await intake.accept(target, { req, res }, { body, coding, limit, reserve });
  } catch (error) {
    if (error instanceof RequestError) intake.directory.refused(target, error.code);
    if (error instanceof TruncatedBody) await intake.recordTruncated(target, req, error);
    throw error;
  } finally {
    reservation.release();
  }
}

function tokenOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  const token = url.slice(INTAKE_PREFIX.length, end < 0 ? undefined : end);
  return token.endsWith('/') ? token.slice(0, -1) : token;
}

/** Returns the id that the sender gave a request. */
export function givenRequestId({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : undefined;
}

function reject(req: IncomingMessage, res: ServerResponse, services: ApiServices, error: unknown): void {
  const requestId = givenRequestId(req) ?? uuidv7();
  const rejection = toRequestError(error, requestId, services);
  services.intake.rejections.count(rejection.status, rejection.code);
  if (res.headersSent || !res.writable) return;
  const body = JSON.stringify(errorBody(rejection, requestId));
  // Reads a short body to its end: closing the connection for each rejection while the queue is full would keep thousands of
  // them open, one second each.
  const unread = !req.complete && (rejection.status === 408 || awaitsContinue(req) || !isShort(req));
  if (unread) lingerAfterResponse(req);
  else req.resume();
  res.writeHead(rejection.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...rejection.details.headers,
    ...(unread ? { Connection: 'close' } : {}),
  });
  res.end(body);
}

/** Returns the error that the sender is told of. */
export function toRequestError(error: unknown, requestId: string, { log }: ApiServices): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof QueueUnavailable) return unavailable('The queue');
  if (isDatabaseUnavailable(error)) return unavailable('The list of webhooks');
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  log.error({ requestId, error: { name, message, stack } }, 'an event failed with an unexpected error');
  return internalError();
}
