import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { addressKind, unmapped } from './addresses.js';

interface Host {
  /** A name in lower case, or an address. */
  host: string;
  /** Null: every port. */
  port: number | null;
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * The hosts and networks outside the public internet that deliveries may reach, and over `http:` and other ports too. Only the operator sets
 * it (`OUTBOUND_ALLOW`): a client that may edit destinations must not reach private networks with them.
 *
 * A network never opens loopback, link-local addresses or metadata services. Those need an entry of their own, so that a wide
 * network such as 0.0.0.0/0 does not open them by accident.
 */
export class AllowList {
  static readonly EMPTY = new AllowList([], []);
  readonly #hosts: readonly Host[];
  readonly #networks: readonly Network[];

  private constructor(hosts: readonly Host[], networks: readonly Network[]) {
    this.#hosts = hosts;
    this.#networks = networks;
  }

  /**
   * Reads entries separated by commas: `host`, `host:port`, an IP address with or without port, or a network such as `10.20.0.0/16`.
   * @throws Error that names the invalid entry
   */
  static parse(text: string): AllowList {
    const hosts: Host[] = [];
    const networks: Network[] = [];
    for (const entry of text.split(',').map((part) => part.trim())) {
      if (entry === '') continue;
      const network = toNetwork(entry);
      const host = network ? null : toHost(entry);
      if (network) networks.push(network);
      else if (host) hosts.push(host);
      else
        throw new Error(
          `has an invalid entry, ${entry}: must be host, host:port, an IP address or a network such as 10.20.0.0/16`,
        );
    }
    return new AllowList(hosts, networks);
  }

  get isEmpty(): boolean {
    return this.#hosts.length + this.#networks.length === 0;
  }

  /** Returns whether a host, a name or an address as in a URL, is listed itself. */
  names(host: string, port: number): boolean {
    const canonical = canonicalHost(host);
    return this.#hosts.some((one) => one.host === canonical && (one.port === null || one.port === port));
  }

  /** Returns whether a resolved address is listed itself, or is in a listed network that may open it. */
  permits(address: string, port: number): boolean {
    if (!ipaddr.isValid(address)) return false;
    if (this.names(address, port)) return true;
    if (addressKind(address) === 'forbidden') return false;
    const ip = ipaddr.parse(unmapped(address));
    return this.#networks.some((network) => ip.kind() === network[0].kind() && ip.match(network));
  }
}

/** Returns the host as the list compares it: lower case, without the dot of the root, an address in its shortest form. */
const canonicalHost = (host: string): string =>
  isIP(host) ? unmapped(host) : host.toLowerCase().replace(/\.$/, '');

const toNetwork = (entry: string): Network | null => {
  if (!ipaddr.isValidCIDR(entry)) return null;
  const [ip, bits] = ipaddr.parseCIDR(entry);
  return [ip, bits];
};

/** A host as in a URL, then a port. */
const HOST_AND_PORT = /^(\[[0-9a-f:.]+\]|[\p{L}\p{N}_.-]+)(?::(\d{1,5}))?$/iu;

function toHost(entry: string): Host | null {
  if (ipaddr.IPv6.isValid(entry)) return { host: unmapped(entry), port: null };
  const [, name, port] = HOST_AND_PORT.exec(entry) ?? [];
  if (!name || !URL.canParse(`http://${name}`) || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535)
    return null;
  const host = new URL(`http://${name}`).hostname.replace(/^\[|\]$/g, '');
  return { host: canonicalHost(host), port: port === undefined ? null : Number(port) };
}
