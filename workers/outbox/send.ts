import type { Destination } from '../../db/outbox/destinations.js';
import { OutboundError } from '../outbound/outbound-error.js';
import { type CustomHeaders, parseHeaders } from './custom-headers.js';
import { drawOwn } from './drawn.js';
import type { Preset, RenderedBody, Told, ToldJob, Verdict } from './presets/preset.js';
import { renderJob } from './presets/webhook.js';
import { signatureHeaders } from './signature.js';

/** A request, ready to be sent. */
export interface Prepared {
  id: string;
  url: string;
  contentType: string;
  /** Those of the destination. */
  headers: CustomHeaders;
  /** As it is stored: with a placeholder in place of a secret. */
  body: Buffer;
  /** What replaces the placeholder. */
  secretInBody: string | null;
  /** The newest first; empty for presets that do not sign. */
  secrets: readonly string[];
}

/** Sends a request, and returns the response, whatever its status. @throws OutboundError */
export type Send = (request: {
  /** Of the message. */
  id: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Ends it, and is what it fails with then. */
  stopped?: AbortSignal | undefined;
}) => Promise<{ status: number; headers: Readonly<Record<string, string | undefined>>; body: string }>;

interface Receiver {
  destination: Pick<
    Destination,
    'id' | 'secret' | 'previousSecret' | 'previousSecretExpiresAt' | 'headers' | 'body'
  >;
  preset: Preset;
  url: string;
  /** The right time. */
  now(): number;
  open(sealed: Buffer, owner: string): string | null;
}

/**
 * Returns the request of a message, or why the destination's own body cannot be drawn.
 * @param body the bytes of an earlier attempt, which are sent again as they are
 */
export function prepareRequest(
  receiver: Receiver,
  told: Told | ToldJob,
  body: Buffer | null,
): Prepared | { fault: string } {
  const rendered = render(receiver, told, body);
  if ('fault' in rendered) return rendered;
  return prepareBody(receiver, told.id, { ...rendered, body: body ?? Buffer.from(rendered.text) });
}

/** Returns the request of a message with this body. */
export function prepareBody(
  { destination, preset, url, now, open }: Receiver,
  id: string,
  { contentType, body }: Pick<Prepared, 'contentType' | 'body'>,
): Prepared {
  const secret = destination.secret && open(destination.secret, destination.id);
  const isOldGood = (destination.previousSecretExpiresAt?.getTime() ?? 0) > now();
  const old =
    isOldGood && destination.previousSecret ? open(destination.previousSecret, destination.id) : null;
  return {
    id,
    url,
    contentType,
    headers: parseHeaders(destination.headers && open(destination.headers, destination.id)),
    body,
    secretInBody: preset.needsSecret ? secret : null,
    secrets: preset.isSigned ? [secret, old].filter((one) => one !== null) : [],
  };
}

function render(
  { destination, preset }: Pick<Receiver, 'destination' | 'preset'>,
  told: Told | ToldJob,
  body: Buffer | null,
): RenderedBody | { fault: string } {
  if ('job' in told) return renderJob(told);
  const own = preset.drawsOwnBody ? destination.body : null;
  if (!own) return preset.render(told, preset.needsSecret ? PLACEHOLDER : null);
  return body === null ? drawOwn(own, told) : { contentType: own.contentType, text: '' };
}

/** What became of a request. */
export interface Sent {
  verdict: Verdict;
  /** `http_503`, or why there was no response: `dns`, `refused`, `timeout`. */
  outcome: string;
  status: number | null;
  /** The start of the response's body. */
  response: string | null;
  /** When it was sent, by `performance.now()`. */
  beganAt: number;
  tookMs: number;
}

const MAX_RESPONSE = 4_096;
/** Stands for a secret in stored bodies. */
const PLACEHOLDER = 'secret-of-this-destination';

/**
 * Signs a request, sends it, and returns what its receiver made of it.
 * @param stopped ends it, and is what it fails with then
 */
export async function sendPrepared(
  { send, now }: { send: Send; now(): number },
  preset: Preset,
  prepared: Prepared,
  stopped?: AbortSignal,
): Promise<Sent> {
  const { id, url, contentType, secretInBody, secrets } = prepared;
  const body = secretInBody === null ? prepared.body : withSecret(prepared.body, secretInBody);
  const timestampSeconds = Math.floor(now() / 1_000);
  const [current, ...previous] = secrets;
  const signed =
    current === undefined
      ? {}
      : signatureHeaders({ id, timestampSeconds, body, secrets: [current, ...previous] });
  const own = { 'content-type': contentType, 'user-agent': 'Muster' };
  const headers: Record<string, string> = Object.assign({}, prepared.headers, own, signed);
  const beganAt = performance.now();
  const times = () => ({ beganAt, tookMs: Math.round(performance.now() - beganAt) });
  try {
    const response = await send({ id, url, headers, body, stopped });
    return {
      verdict: preset.judge(response),
      outcome: `${preset.isMail ? 'smtp' : 'http'}_${response.status}`,
      status: response.status,
      response: response.body.slice(0, MAX_RESPONSE),
      ...times(),
    };
  } catch (error) {
    if (error instanceof TypeError)
      return {
        verdict: { outcome: 'rejected' },
        outcome: 'render',
        status: null,
        response: null,
        ...times(),
      };
    if (!(error instanceof OutboundError)) throw error;
    return {
      // The destination is not at fault if it was the operator's proxy or mail server.
      verdict: { outcome: 'later', afterMs: null, isCounted: !error.isOurs },
      outcome: error.code,
      status: null,
      response: error.isOurs ? error.message.slice(0, MAX_RESPONSE) : null,
      ...times(),
    };
  }
}

const withSecret = (body: Buffer, secret: string): Buffer =>
  Buffer.from(body.toString().replace(JSON.stringify(PLACEHOLDER), () => JSON.stringify(secret)));
