import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '../text/printable.js';
import { Unavailable, UploadFailure } from './failure.js';
import type { CompleteResponse } from './http.js';

/** Statuses that may change with the next attempt: timeouts, rate limits and unavailability. */
const passing = new Set([408, 429, 502, 503, 504]);

/** @throws Unavailable if another attempt may succeed, UploadFailure for any other status that is not 2xx */
export function expectSuccess({ status, headers, body }: CompleteResponse, base: URL): void {
  const message = typeof body?.message === 'string' ? printable(body.message) : '';
  if (passing.has(status) || body?.code === 'incomplete_body') {
    const retryAfterMs = retryAfter(headers['retry-after']);
    throw new Unavailable(`${base.origin} returned ${status}${message && `: ${message}`}`, { retryAfterMs });
  }
  if (status >= 300 && status < 400) {
    throw new UploadFailure(
      `${base.origin} redirects (${status}) to ${headers.location}: pass that address as --url.`,
    );
  }
  if (status >= 400) throw new UploadFailure(rejection(status, message, { headers, body, base }));
  if (body?.status !== 'success') {
    throw new UploadFailure(
      `${base.origin} is not a Muster server: it returned ${status} with an unexpected body.`,
    );
  }
}

function rejection(
  status: number,
  message: string,
  { headers, body, base }: Pick<CompleteResponse, 'headers' | 'body'> & { base: URL },
): string {
  const reason = message || `${base.origin} gave no reason.`;
  if (status === 401) return `The API key was not accepted (401): ${reason}`;
  if (status === 403) return `The API key is not allowed to do this (403): ${reason}`;
  if (status === 413) return `The file is too large (413): ${reason}`;
  if (!message) return `${base.origin} returned ${status}. Is it the address of a Muster server?`;
  const request = status >= 500 ? ` Request id: ${body.requestId ?? headers['x-request-id']}.` : '';
  return `The request was rejected (${status}): ${reason}${errorsOf(body, message)}${request}`;
}

/** @param message says one error itself */
function errorsOf(body: CompleteResponse['body'], message: string): string {
  const errors: { field?: string; message?: string }[] = Array.isArray(body.errors) ? body.errors : [];
  if (errors.length === 1 && errors[0]?.message && message.includes(printable(errors[0].message))) return '';
  return errors.map(({ field, message }) => ` ${printable(`${field ?? 'body'}: ${message}`)}.`).join('');
}

/** Returns the time that a Retry-After header asks for, in milliseconds, or 0. RFC 9110: seconds, or a date. */
export function retryAfter(header: string | undefined): number {
  if (!header) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Math.max(0, ms || 0);
}

/**
 * Returns the backoff before the next attempt, in milliseconds: 1, 2, 4, 8 s and so on up to `maxMs`, and never less than the
 * service asked for.
 * @param failures attempts that failed in a row, from 1
 */
export function pauseMs(failures: number, retryAfterMs: number, maxMs: number): number {
  return Math.max(retryAfterMs, Math.min(maxMs, 1_000 * 2 ** Math.min(failures - 1, 20)));
}

/** Waits. Throws immediately when `stop` is aborted. */
export async function pause(ms: number, stop: AbortSignal): Promise<void> {
  // Node's timers are limited to 2^31 ms.
  await sleep(Math.min(ms, 2_000_000_000), undefined, { signal: stop });
}
