const PLACEHOLDER = '{identity}';

/** Before the path, query or fragment there is a host, perhaps with a port, and nothing else: no user, and no placeholder. */
const START = /^https?:\/\/[a-z0-9.-]+(?::\d+)?[/?#]/i;
const VISIBLE = /^[\x21-\x7e]*$/;
const HALF_ESCAPE = /%(?![0-9a-f]{2})/i;

/** In characters. */
export const ACCOUNT_URL_MAX = 500;

/**
 * Returns what is wrong with the pattern of the URLs of accounts, such as `https://github.com/{identity}`; null: nothing. A filled pattern is a link that
 * people click, so an identity can change neither the scheme nor the host.
 */
export function accountUrlFault(pattern: string): string | null {
  if (pattern.length > ACCOUNT_URL_MAX) return `must have at most ${ACCOUNT_URL_MAX} characters`;
  if (!VISIBLE.test(pattern)) return 'must have only visible ASCII characters: percent-encode others';
  if (!/^https?:\/\//i.test(pattern)) return 'must start with https:// or http://';
  const places = pattern.split(PLACEHOLDER);
  if (places.length !== 2) return `must contain ${PLACEHOLDER} exactly once`;
  const [before = '', after = ''] = places;
  if (/[{}]/.test(before + after)) return `must contain no braces but those of ${PLACEHOLDER}`;
  if (!START.test(before))
    return `must have a host without a user, and ${PLACEHOLDER} in the path, the query or the fragment`;
  if (pattern.includes('\\')) return 'must not contain a backslash';
  if (HALF_ESCAPE.test(before) || HALF_ESCAPE.test(after)) return 'must have two hex digits after each %';
  if (hasStep(`${before}x${after}`)) return 'must not have . or .. as a part of the path';
  if (!URL.canParse(before + after)) return 'must be a URL';
  return null;
}

/**
 * Returns where an account is shown, the identity percent-encoded. Null if no URL can contain it in this place: half of a character, or `.` and
 * `..`, which browsers take for steps in a path, also when they are escaped.
 */
export function fillAccountUrl(pattern: string, identity: string): string | null {
  if (accountUrlFault(pattern) !== null || HALF_CHARACTER.test(identity)) return null;
  const url = pattern.replace(PLACEHOLDER, () => encodeURIComponent(identity));
  return hasStep(url) ? null : url;
}

const HALF_CHARACTER = /\p{Cs}/u;

/** Returns whether the path contains `.` or `..`. */
const hasStep = (url: string): boolean =>
  url
    .replace(/[?#].*/, '')
    .split('/')
    .some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
