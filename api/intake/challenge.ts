import type { IncomingMessage } from 'node:http';
import type { Challenge } from '../../db/webhooks/webhooks.js';
import { queryPairs } from '../http/parse-query.js';
import { parseSmall } from './request/parse-small.js';

/** The response to a challenge: it repeats what the sender sent. */
export interface ChallengeResponse {
  contentType: 'text/plain; charset=utf-8' | 'application/json; charset=utf-8';
  body: string;
}

/** A longer body is an event. The largest documented challenge is below 2 KiB. */
const MAX_BODY_BYTES = 8_192;
const MAX_VALUES = 100;
const MAX_PARAMETERS = 100;
/** Printable ASCII without markup, so that a browser has nothing to run even if it ignores the content type. */
const SAFE_TEXT = /^[ -;=?-~]{1,2000}$/;

const text = (body: string): ChallengeResponse => ({ contentType: 'text/plain; charset=utf-8', body });
const json = (body: object): ChallengeResponse => ({
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});
const safe = (value: unknown): string | null =>
  typeof value === 'string' && SAFE_TEXT.test(value) ? value : null;

/**
 * Returns the response to a `GET` that is a challenge, or null if it is none.
 * Okta: https://developer.okta.com/docs/concepts/event-hooks/#one-time-verification-request
 */
export function challengeOfGet(
  challenge: Challenge | null,
  { headers }: IncomingMessage,
): ChallengeResponse | null {
  const value = challenge === 'okta' ? safe(headers['x-okta-verification-challenge']) : null;
  return value === null ? null : json({ verification: value });
}

/**
 * Returns the response to a `POST` that is a challenge, or null if it is an event. It needs no signature: the response contains only
 * what the sender already has.
 */
export function challengeOfPost(
  challenge: Challenge | null,
  { url = '' }: IncomingMessage,
  body: Buffer,
): ChallengeResponse | null {
  if (challenge === 'microsoft-graph') return graphResponse(url);
  if (body.length > MAX_BODY_BYTES) return null;
  if (challenge === 'slack') return slackResponse(parseSmall(body, MAX_VALUES));
  if (challenge === 'event-grid') return eventGridResponse(parseSmall(body, MAX_VALUES));
  return null;
}

/** https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#notificationurl-validation */
function graphResponse(url: string): ChallengeResponse | null {
  const start = url.indexOf('?');
  if (start < 0) return null;
  const pairs = queryPairs(url.slice(start + 1), MAX_PARAMETERS);
  const token = safe(pairs.find(([name]) => name === 'validationToken')?.[1]);
  return token === null ? null : text(token);
}

const propertiesOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** https://api.slack.com/events/url_verification */
function slackResponse(body: unknown): ChallengeResponse | null {
  const { type, challenge } = propertiesOf(body);
  const value = type === 'url_verification' ? safe(challenge) : null;
  return value === null ? null : text(value);
}

/** https://learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema */
function eventGridResponse(body: unknown): ChallengeResponse | null {
  const { eventType, data } = propertiesOf(Array.isArray(body) ? body[0] : null);
  if (eventType !== 'Microsoft.EventGrid.SubscriptionValidationEvent') return null;
  const code = safe(propertiesOf(data).validationCode);
  return code === null ? null : json({ validationResponse: code });
}
