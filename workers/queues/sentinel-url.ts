const FORM = /^(rediss?)\+sentinel:\/\/([^/?#]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;
const DEFAULT_NAME = 'mymaster';
const PARAMETERS = ['sentinelUser', 'sentinelPassword'] as const;

/** Where Sentinels are, and what they watch. */
export interface SentinelAddress {
  /** The Sentinels as `redis:` or `rediss:` URLs. The first has the user and the password. */
  nodes: readonly URL[];
  /** The name under which they watch the master. */
  name: string;
  /** The credentials of the Sentinels, if they differ. Empty means none. */
  parameters: Partial<Record<(typeof PARAMETERS)[number], string>>;
}

/**
 * Parses `redis+sentinel://user:password@host:port,host:port/name?sentinelUser=...&sentinelPassword=...`, or
 * `rediss+sentinel://` for TLS. The name is `mymaster` by default.
 * @returns null if the URL has another scheme
 * @throws Error if a part of it is invalid or would be ignored
 */
export function parseSentinelUrl(url: string): SentinelAddress | null {
  if (!/^rediss?\+sentinel:/.test(url)) return null;
  const [, scheme, hosts = '', name = '', query] = FORM.exec(url) ?? [];
  if (!scheme) throw new Error('the address has a part that has no meaning');
  const nodes = hosts.split(',').map((host) => new URL(`${scheme}://${host}`));
  if (nodes.slice(1).some(({ username, password }) => username || password))
    throw new Error('only the first address has a user and a password');
  return { nodes, name: decodeURIComponent(name) || DEFAULT_NAME, parameters: parseParameters(query) };
}

/** Unlike `URLSearchParams`, leaves a plus sign alone: passwords contain it. */
function parseParameters(query = ''): SentinelAddress['parameters'] {
  const pairs = query.split('&').filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (!PARAMETERS.some((known) => known === name)) throw new Error(`unknown parameter ${name}`);
      return [name, decodeURIComponent(value)];
    }),
  );
}
