/**
 * Why a request to another host failed:
 *
 * - `invalid_url`: not `https` on its standard port with a host name.
 * - `unresolved`: the name has no address.
 * - `forbidden_address`: the name resolves to an address that is not public.
 * - `unreachable`: no connection, or no valid TLS certificate.
 * - `timed_out`, `redirected`, `too_large`: the response is late, leads elsewhere, or exceeds the limit.
 */
export type OutboundErrorCode =
  | 'invalid_url'
  | 'unresolved'
  | 'forbidden_address'
  | 'unreachable'
  | 'timed_out'
  | 'redirected'
  | 'too_large';

/** A request to another host that failed. The message names the host, and nothing of the path, which may contain secrets. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly code: OutboundErrorCode;

  constructor(code: OutboundErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
