import { OutboundError, type OutboundErrorCode } from '../../outbound/outbound-error.js';

/**
 * Why a source returned no file, or not all of it. Codes of `OutboundError` mean the same as there. Further:
 *
 * - `auth`: the source rejects the token, key or password, or the account may not read the file.
 * - `host_key`: the SSH server has another key than the pinned one.
 * - `not_found`: there is no such file, bucket or path.
 * - `unavailable`: the source asks to come back later (429, 5xx).
 * - `rejected`: any other response that is not a file.
 * - `incomplete`: the file ended early, or cannot be known to be whole.
 * - `changed`: the file changed while it was read.
 * - `invalid_content`: a web page instead of a file, or JSON that is not the list that the settings describe.
 * - `paging`: the pages of a list do not lead to an end.
 * - `not_allowed`: the operator does not allow this kind of source, or this path.
 */
export type SourceErrorCode =
  | Exclude<OutboundErrorCode, 'smtp'>
  | 'auth'
  | 'host_key'
  | 'not_found'
  | 'unavailable'
  | 'rejected'
  | 'incomplete'
  | 'changed'
  | 'invalid_content'
  | 'paging'
  | 'not_allowed';

/** What the same settings may succeed with a little later. */
const TEMPORARY: readonly SourceErrorCode[] = [
  'dns',
  'refused',
  'reset',
  'timeout',
  'proxy',
  'unavailable',
  'incomplete',
  'changed',
];

/** A source that returned no file. The message says what to do, and contains no secret, path of a URL or content. */
export class SourceError extends Error {
  override name = 'SourceError';
  readonly code: SourceErrorCode;

  constructor(code: SourceErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  /** Whether another attempt with the same settings may succeed soon. */
  get isTemporary(): boolean {
    return TEMPORARY.includes(this.code);
  }
}

const ADVICE: Partial<Record<OutboundErrorCode, string>> = {
  dns: ' Check the spelling of the host.',
  refused: ' Check host and port, and that its firewall lets Muster in.',
  tls: ' Its certificate must be valid for this name and signed by an authority that Muster trusts (NODE_EXTRA_CA_CERTS).',
};

/** Returns a failed request as an error of the source; anything else, such as the reason of a stop, as it is. */
export function toSourceError(error: unknown): unknown {
  if (!(error instanceof OutboundError) || error.code === 'smtp') return error;
  return new SourceError(error.code, `${error.message}${ADVICE[error.code] ?? ''}`);
}
