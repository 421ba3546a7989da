/**
 * Why a request to another host failed:
 *
 * - `invalid_url`: not a URL that Muster sends requests to.
 * - `dns`: the name has no address.
 * - `blocked_address`: the host, its port or one of its addresses is not allowed.
 * - `refused`: no address of the host accepts connections.
 * - `reset`: the host closed the connection before the response was complete.
 * - `tls`: no connection with a valid certificate for the name.
 * - `timeout`: the connection or the complete response is late.
 * - `invalid_response`: the response is not HTTP, or its headers exceed 16 KiB.
 * - `proxy`: the operator's proxy is unavailable, or rejects Muster.
 * - `smtp`: the operator's mail server rejects Muster, or there is none.
 * - `redirect`, `too_large`: the response leads elsewhere, or exceeds the limit. Only of `get`.
 */
export type OutboundErrorCode =
  | 'invalid_url'
  | 'dns'
  | 'blocked_address'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'timeout'
  | 'invalid_response'
  | 'proxy'
  | 'smtp'
  | 'redirect'
  | 'too_large';

/** A request to another host that failed. The message names the host, and nothing of the path, which may contain secrets. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly code: OutboundErrorCode;
  /** Whether it is for the operator to fix, and not for the receiver. */
  readonly isOurs: boolean;

  constructor(code: OutboundErrorCode, message: string, { isOurs = false }: { isOurs?: boolean } = {}) {
    super(message);
    this.code = code;
    this.isOurs = isOurs;
  }
}

const OF_SYSTEM: Readonly<Record<string, OutboundErrorCode>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  EACCES: 'refused',
  EPERM: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
};

/** @param isConnected whether the connection was complete, with TLS if it has any */
export function toOutboundError(
  host: string,
  error: Error & { code?: unknown },
  isConnected: boolean,
): OutboundError {
  if (error instanceof OutboundError) return error;
  // That of an AbortError is a number.
  const code = typeof error.code === 'string' ? error.code : '';
  const why = code ? ` (${code})` : '';
  return new OutboundError(classOf(code, isConnected), `The request to ${host} failed${why}.`);
}

function classOf(code: string, isConnected: boolean): OutboundErrorCode {
  const known = OF_SYSTEM[code];
  if (known) return known;
  if (code.startsWith('HPE_')) return 'invalid_response';
  return isConnected && !/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code) ? 'reset' : 'tls';
}
