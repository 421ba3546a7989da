import { isIP } from 'node:net';
import type { AllowList } from './allow-list.js';
import { withDeadline } from './deadline.js';
import { INTERNET, type Network } from './network.js';
import { OutboundError } from './outbound-error.js';

/** Where a request goes. It connects to no address but these: a second lookup could return others (DNS rebinding). */
export interface Target {
  url: URL;
  /** The name, or the address without brackets. */
  host: string;
  port: number;
  addresses: readonly string[];
  /** Whether the proxy connects to the host, whose name is the only one of the addresses then. */
  isProxied: boolean;
}

const CHECK_TIMEOUT_MS = 5_000;

/**
 * Returns why Muster would not deliver to a URL, for people, or null. Saving, testing and delivering to a destination all use it (`post`
 * includes it). Returns null, too, if the name does not resolve within 5 s: this can change, and a delivery is retried.
 */
export async function checkTarget(
  url: string,
  allow: AllowList,
  network: Network = INTERNET,
  proxy: URL | null = null,
): Promise<string | null> {
  try {
    const parsed = parseTarget(url);
    await withDeadline(CHECK_TIMEOUT_MS, parsed.hostname, () => resolveTarget(parsed, allow, network, proxy));
    return null;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.code === 'dns' || error.code === 'timeout' ? null : error.message;
  }
}

/** Returns an `http:` or `https:` URL without user and password, which could be mistaken for the host. @throws OutboundError */
export function parseTarget(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url && /^https?:$/.test(url.protocol) && url.username + url.password === '') return url;
  throw new OutboundError(
    'invalid_url',
    'The URL must start with https:// and have a host, and no user name or password.',
  );
}

/**
 * Resolves and checks a URL. Without an entry in the list, it must be `https:` on port 443, and all addresses must be public.
 * @param allow null: the message mentions no list either
 * @throws OutboundError
 */
export async function resolveTarget(
  url: URL,
  allow: AllowList | null,
  network: Network,
  proxy: URL | null = null,
): Promise<Target> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isStandard = url.protocol === 'https:' && url.port === '';
  const urlPort = Number(url.port || (isStandard ? 443 : 80));
  const port = isStandard ? network.port : urlPort;
  const place = {
    host,
    port: urlPort,
    isStandard,
    rule: 'The URL must start with https:// and have no port',
  };
  const { addresses, isProxied } = await resolvePlace(place, allow, network, proxy);
  return { url, host, port, addresses, isProxied };
}

/** A host and a port to connect to. */
export interface Place {
  /** The name, or the address without brackets. */
  host: string;
  port: number;
  /** Whether the port is open without an entry in the list. */
  isStandard: boolean;
  /** What that port is, for people. */
  rule: string;
}

/**
 * Resolves and checks a host and a port. Without an entry in the list, the port must be the standard one, and all addresses must be public.
 *
 * With a proxy, hosts that are not listed are its business: it resolves their names again, and may be the only one that can. A name that resolves here
 * must still be public.
 * @param allow null: the message mentions no list either
 * @throws OutboundError
 */
export async function resolvePlace(
  { host, port, isStandard, rule }: Place,
  allow: AllowList | null,
  network: Network,
  proxy: URL | null,
): Promise<Pick<Target, 'addresses' | 'isProxied'>> {
  // Says so without a lookup, which may fail.
  if (!isStandard && (!allow || allow.isEmpty)) throw blockedPort(rule);
  const isNamed = allow?.names(host, port) === true;
  const mayBeUnknown = proxy !== null && isStandard && !isNamed && !THIS_HOST.test(host);
  const addresses = isIP(host) ? [host] : await resolve(host, network, mayBeUnknown);
  if (isNamed) return { addresses, isProxied: false };
  for (const address of addresses) {
    if (allow?.permits(address, port)) continue;
    if (!network.isAllowed(address)) throw blockedAddress(host, allow);
    if (!isStandard) throw blockedPort(rule);
  }
  const isListed = addresses.some((address) => allow?.permits(address, port));
  const isProxied = proxy !== null && !isListed;
  return { addresses: isProxied ? [host] : addresses, isProxied };
}

/** To a proxy, these names would be itself. */
const THIS_HOST = /(?:^|\.)localhost\.?$/;

async function resolve(host: string, network: Network, mayBeUnknown: boolean): Promise<string[]> {
  const resolved = await network.resolve(host).catch(() => []);
  if (resolved.length === 0 && !mayBeUnknown)
    throw new OutboundError('dns', `The host ${host} has no address.`);
  return resolved.map(({ address }) => address);
}

/** Does not name the address of a host, which the reader may not be allowed to know. */
function blockedAddress(host: string, allow: AllowList | null): OutboundError {
  const what = isIP(host)
    ? `The address ${host} is not public.`
    : `The host ${host} resolves to an address that is not public.`;
  const how = allow ? ' unless the operator lists them in `OUTBOUND_ALLOW`' : '';
  return new OutboundError('blocked_address', `${what} Muster sends no requests to private networks${how}.`);
}

const blockedPort = (rule: string): OutboundError =>
  new OutboundError('blocked_address', `${rule}, unless the operator lists its host in \`OUTBOUND_ALLOW\`.`);
