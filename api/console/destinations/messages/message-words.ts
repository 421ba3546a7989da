import type { Message } from '../../http/types.ts';
import { duration } from '../../text/quantities.ts';

/** The states of messages, in the order of a filter. */
export const MESSAGE_STATES = [
  'waiting',
  'delivered',
  'digested',
  'superseded',
  'filtered',
  'muted',
  'expired',
  'dead',
  'canceled',
] as const satisfies readonly Message['state'][];

const REASONS: Readonly<Record<string, string>> = {
  digested: 'Many messages waited, so it was sent with others as one',
  superseded: 'A newer message about the same key was sent instead',
  settled: 'The alert was over before the destination would have been told',
  unchanged: 'The destination already knew this',
  not_told: 'The destination was not told that the alert fired',
  severity: 'Not severe enough for the destination',
  filter: 'Filtered by the destination',
  body: 'Its body could not be drawn',
  type: 'The destination is not told of such changes',
  muted: 'The integration was muted',
  own_trouble: 'It is about this destination, so only others are told',
  expired: 'It could not be delivered in time',
  canceled: 'It was left out when the destination was resumed',
  deleted: 'The destination was deleted',
};

const OUTCOMES: Readonly<Record<string, string>> = {
  invalid_url: 'Muster does not send to this URL',
  dns: 'The host was not found',
  blocked_address: 'The host has a private address, which OUTBOUND_ALLOW does not list',
  refused: 'The host refused the connection',
  reset: 'The connection broke off',
  tls: 'No secure connection: TLS failed',
  timeout: 'No response in time',
  invalid_response: 'The response was not HTTP',
  body: 'The body could not be drawn, so nothing was sent',
  proxy: 'The proxy of this Muster is unavailable or rejects it',
  smtp: 'The mail server of this Muster rejects it, or there is none',
  render: 'The message could not be written in the format of the preset',
};

/** Returns what came of an attempt, in words. Null stands for one that goes on, or whose worker was stopped. */
export function describeOutcome(outcome: string | null): string {
  if (outcome === null) return 'No outcome yet';
  const [, status] = /^(?:http|smtp)_(\d+)$/.exec(outcome) ?? [];
  return status ? `The receiver responded with ${status}` : (OUTCOMES[outcome] ?? outcome);
}

/** Returns why a message is in its state, in words; null if there is nothing to say. */
export function describeReason({
  state,
  reason,
  attempts = 0,
}: {
  state: string;
  reason: string | null;
  attempts?: number;
}): string | null {
  if (reason === null || state === 'delivered') return null;
  return REASONS[reason] ?? (attempts > 0 ? `Last attempt: ${lower(describeOutcome(reason))}` : reason);
}

/** Returns why messages were given up, in words. */
export const describeWhy = (reason: string | null): string =>
  (reason === null ? undefined : REASONS[reason]) ?? describeOutcome(reason);

/** Returns how long an attempt took: `12 ms`, `1.5 s`. */
export const describeTook = (tookMs: number): string =>
  tookMs < 1_000 ? `${tookMs} ms` : duration(tookMs / 1_000);

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
