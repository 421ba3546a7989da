import { lookup } from 'node:dns/promises';
import { isPublicAddress } from './addresses.js';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** How outgoing requests reach other hosts. Tests replace it to reach a server of their own. */
export interface Network {
  /** Resolves a host to all of its addresses. */
  resolve(host: string): Promise<ResolvedAddress[]>;
  /** Returns whether any request may connect to this address. */
  isAllowed(address: string): boolean;
  /** The port of `https:` URLs without a port. */
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
