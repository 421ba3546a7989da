/** A cluster of databases has three to nine nodes. */
const MAX_HOSTS = 16;

/**
 * Returns a URL for each host of a database URL. `mysql://user:password@a:3306,b:3306/muster` has two.
 * @throws TypeError if one of them is invalid
 */
export function hostUrls(url: string): string[] {
  const begin = url.indexOf('//') + 2;
  const length = url.slice(begin).search(/[/?#]/);
  const authority = length < 0 ? url.slice(begin) : url.slice(begin, begin + length);
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  const end = begin + authority.length;
  const [before, after] = [url.slice(0, end - hosts.length), url.slice(end)];
  return hosts.split(',').map((host) => new URL(before + host + after).href);
}

/** Returns what is wrong with a database URL; null if nothing is. */
export function databaseUrlError(url: string): string | null {
  let urls: URL[];
  try {
    urls = hostUrls(url).map((one) => new URL(one));
    for (const { username, password, pathname } of urls) decodeURIComponent(username + password + pathname);
  } catch {
    return `${FORM}, with user and password percent-encoded, like %40 for @ and %25 for %`;
  }
  if (urls.some(({ protocol }) => protocol !== 'mysql:')) return FORM;
  if (urls.length === 1) return null;
  if (urls.some(({ searchParams }) => searchParams.has('socketPath')))
    return 'must have one host if it has a socketPath';
  const addresses = new Set(urls.map(({ hostname, port }) => `${hostname}:${port || 3306}`));
  if (urls.some(({ hostname }) => hostname === '') || addresses.size < urls.length)
    return 'must have a different host:port between each two commas';
  return urls.length > MAX_HOSTS ? `must have at most ${MAX_HOSTS} hosts` : null;
}

const FORM =
  'must be mysql://user:password@host:port/database, or have several host:port of one cluster, separated by commas';
