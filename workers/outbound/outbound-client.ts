import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OutboundError } from './outbound-error.js';

export interface HttpsLimits {
  /** For the whole request, including the lookup of the name. */
  timeoutMs: number;
  maxBytes: number;
}

export interface HttpsResponse {
  status: number;
  body: Buffer;
}

const MAX_HEADER_BYTES = 16_384;

/**
 * Sends GET requests to public hosts. The addresses of a host are checked before the connection, and the connection uses
 * exactly these addresses: a second lookup could return others (DNS rebinding). Redirects are not followed, and no proxy of the
 * environment is used.
 */
export class OutboundClient {
  readonly #network: Network;

  constructor(network: Network = INTERNET) {
    this.#network = network;
  }

  /**
   * Returns the response, whatever its status below 300 or from 400.
   * @throws OutboundError
   */
  async get(address: string, { timeoutMs, maxBytes }: HttpsLimits): Promise<HttpsResponse> {
    const url = toHttpsUrl(address);
    const signal = AbortSignal.timeout(timeoutMs);
    const timedOut = () =>
      new OutboundError('timed_out', `${url.hostname} did not respond within ${timeoutMs / 1_000} s.`);
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(timedOut()), { once: true });
    });
    return Promise.race([this.#get(url, signal, maxBytes), late]);
  }

  async #get(url: URL, signal: AbortSignal, maxBytes: number): Promise<HttpsResponse> {
    const addresses = await this.#resolve(url.hostname);
    signal.throwIfAborted();
    const { port, ca } = this.#network;
    return send(url, { port, ca, signal, lookup: fixedLookup(addresses) }, maxBytes);
  }

  async #resolve(host: string): Promise<[ResolvedAddress, ...ResolvedAddress[]]> {
    const [first, ...more] = await this.#network.resolve(host).catch(() => []);
    if (!first) throw new OutboundError('unresolved', `The host ${host} has no address.`);
    if ([first, ...more].every(({ address }) => this.#network.isAllowed(address))) return [first, ...more];
    throw new OutboundError(
      'forbidden_address',
      `The host ${host} resolves to an address that is not public. Muster sends no requests to private networks.`,
    );
  }
}

/** Returns a URL of a host name on the standard port, without user and password, which could be mistaken for the host. */
function toHttpsUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isValid =
    url?.protocol === 'https:' &&
    url.port === '' &&
    url.username + url.password === '' &&
    !url.hostname.startsWith('[') &&
    isIP(url.hostname) === 0;
  if (url && isValid) return url;
  throw new OutboundError(
    'invalid_url',
    'The URL must start with https:// and have a host name, no port, no user name and no IP address.',
  );
}

/** Returns a lookup for a connection that results in addresses that were checked. */
const fixedLookup =
  (addresses: [ResolvedAddress, ...ResolvedAddress[]]): LookupFunction =>
  (_host, { all }, done) =>
    all ? done(null, addresses) : done(null, addresses[0].address, addresses[0].family);

function send(url: URL, options: RequestOptions, maxBytes: number): Promise<HttpsResponse> {
  return new Promise((resolve, reject) => {
    const secure = { rejectUnauthorized: true, agent: false, maxHeaderSize: MAX_HEADER_BYTES };
    const outgoing = request(url, { ...options, ...secure, headers: { 'User-Agent': 'Muster' } });
    outgoing.on('response', (response) => receive(response, url, maxBytes).then(resolve, reject));
    outgoing.on('error', (error) => reject(toOutboundError(url, error)));
    outgoing.end();
  });
}

async function receive(response: IncomingMessage, url: URL, maxBytes: number): Promise<HttpsResponse> {
  const status = response.statusCode ?? 0;
  try {
    if (status >= 300 && status < 400)
      throw new OutboundError(
        'redirected',
        `${url.hostname} responded with a redirect (${status}). Muster does not follow redirects.`,
      );
    return { status, body: await readUpTo(response, url, maxBytes) };
  } catch (error) {
    throw toOutboundError(url, error instanceof Error ? error : new Error(String(error)));
  } finally {
    response.destroy();
  }
}

async function readUpTo(response: IncomingMessage, url: URL, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new OutboundError('too_large', `The response of ${url.hostname} exceeds ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toOutboundError(url: URL, error: Error & { code?: string }): OutboundError {
  if (error instanceof OutboundError) return error;
  const why = error.code ? ` (${error.code})` : '';
  return new OutboundError('unreachable', `The request to ${url.hostname} failed${why}.`);
}

interface ResolvedAddress {
  address: string;
  family: number;
}

/** How outgoing requests reach other hosts. Tests replace it to reach a server of their own. */
export interface Network {
  /** Resolves a host to all of its addresses. */
  resolve(host: string): Promise<ResolvedAddress[]>;
  /** Returns whether a request may connect to this address. */
  isAllowed(address: string): boolean;
  port: number;
  /** PEM of the certificate authorities to trust. Undefined: those of Node. */
  ca?: string;
}

/** The internet without private networks. */
export const INTERNET: Network = {
  resolve: (host) => lookup(host, { all: true }),
  isAllowed: isPublicAddress,
  port: 443,
};

/** The prefix length of an IPv6 address that stands for an IPv4 address behind NAT64 (RFC 6052), in bytes. */
const NAT64_PREFIX_BYTES = 12;

/**
 * Returns whether an address belongs to the public internet. Loopback, private, link-local, shared, multicast, reserved and
 * documentation ranges do not, nor does any text that is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // Converts an IPv4 address in IPv6 form (`::ffff:10.0.0.1`), which would otherwise hide a private address.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'rfc6052') return parsed.range() === 'unicast';
  return ipaddr.fromByteArray(parsed.toByteArray().slice(NAT64_PREFIX_BYTES)).range() === 'unicast';
}
