const FORM = /^(rediss?)\+sentinel:\/\/([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/;
const DEFAULT_NAME = 'mymaster';

/** Where Sentinels are, and what they watch. */
export interface SentinelAddress {
  /** The Sentinels as `redis:` or `rediss:` URLs. The first has the user and the password. */
  nodes: readonly URL[];
  /** The name under which they watch the master. */
  name: string;
  parameters: URLSearchParams;
}

/**
 * Parses `redis+sentinel://user:password@host:port,host:port/name?sentinelUser=...&sentinelPassword=...`, or
 * `rediss+sentinel://` for TLS. The name is `mymaster` by default.
 * @returns null if the URL has another form
 * @throws TypeError if an address in it is invalid
 */
export function parseSentinelUrl(url: string): SentinelAddress | null {
  const [, scheme, hosts = '', name, query] = FORM.exec(url) ?? [];
  if (!scheme) return null;
  const nodes = hosts.split(',').map((host) => new URL(`${scheme}://${host}`));
  return {
    nodes,
    name: decodeURIComponent(name ?? '') || DEFAULT_NAME,
    parameters: new URLSearchParams(query),
  };
}
