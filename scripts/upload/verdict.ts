import { printable } from '../text/printable.js';
import { Away, UploadFailure } from './failure.js';
import type { Answer } from './http.js';

/** What may be otherwise at the next try: too slow, too many, and everything that says "not now". */
const passing = new Set([408, 429, 502, 503, 504]);

/** @throws Away when another try may end otherwise, UploadFailure for every other status that is not 2xx */
export function expectSuccess({ status, headers, body }: Answer, base: URL): void {
  const message = typeof body?.message === 'string' ? printable(body.message) : '';
  if (passing.has(status) || body?.code === 'incomplete_body') {
    const retryAfterMs = retryAfter(headers['retry-after']);
    throw new Away(`${base.origin} answered ${status}${message && `: ${message}`}`, { retryAfterMs });
  }
  if (status >= 300 && status < 400) {
    throw new UploadFailure(
      `${base.origin} points elsewhere (${status}), to ${headers.location}: give that as --url.`,
    );
  }
  if (status >= 400) throw new UploadFailure(refusal(status, message, { headers, body, base }));
  if (body?.status !== 'success') {
    throw new UploadFailure(`${base.origin} is no Muster: it answered ${status} with something else.`);
  }
}

function refusal(
  status: number,
  message: string,
  { headers, body, base }: Pick<Answer, 'headers' | 'body'> & { base: URL },
): string {
  const reason = message || `${base.origin} gave no reason.`;
  if (status === 401) return `The API key was not accepted (401): ${reason}`;
  if (status === 403) return `The API key is not allowed to do this (403): ${reason}`;
  if (status === 413) return `The file is too large (413): ${reason}`;
  if (!message) return `${base.origin} answered ${status}: is that the address of a Muster?`;
  const request = status >= 500 ? ` Request id: ${body.requestId ?? headers['x-request-id']}.` : '';
  return `The request was refused (${status}): ${reason}${faultsOf(body)}${request}`;
}

function faultsOf(body: Answer['body']): string {
  const faults: { field?: string; message?: string }[] = Array.isArray(body.errors) ? body.errors : [];
  return faults.map(({ field, message }) => ` ${printable(`${field ?? 'body'}: ${message}`)}.`).join('');
}

/** RFC 9110: seconds, or a date. In milliseconds; 0 when there is none. */
export function retryAfter(header: string | undefined): number {
  if (!header) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Math.max(0, ms || 0);
}
