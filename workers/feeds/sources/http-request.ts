import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { deadlinesOf, type FetchContext } from './fetched-file.js';
import type { SourceOf } from './settings.js';
import { SourceError, toSourceError } from './source-error.js';

const MAX_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

export interface HttpResponse {
  /** 200, or 304 if `conditions` are given. */
  status: 200 | 304;
  /** After redirects. */
  url: URL;
  headers: IncomingHttpHeaders;
  /** It must be read or destroyed. */
  body: IncomingMessage;
}

/** A request to the origin that the settings name. */
export interface HttpRequest {
  url: URL;
  source: Pick<SourceOf<'https'>, 'url' | 'headers' | 'query'>;
  accept: string;
  /** `If-None-Match` or `If-Modified-Since`. */
  conditions: Readonly<Record<string, string>>;
}

/**
 * Requests a URL and follows a few redirects, each of which is checked like a URL of the settings. The headers and parameters of the settings go to the origin of
 * its URL only, and to no URL after a redirect to another origin.
 * @throws SourceError
 */
export async function requestUrl(request: HttpRequest, context: FetchContext): Promise<HttpResponse> {
  const { origin, hostname } = new URL(request.source.url);
  let url = request.url;
  let isTrusted = true;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    isTrusted &&= url.origin === origin;
    const { status, headers, body } = await send(url, isTrusted, request, context);
    if (status === 200 || (status === 304 && Object.keys(request.conditions).length > 0))
      return { status, url, headers, body };
    body.destroy();
    if (!REDIRECTS.includes(status) || !headers.location) throw refusal(url.hostname, status);
    url = targetOf(headers.location, url);
  }
  throw new SourceError(
    'redirect',
    `${hostname} redirects more than ${MAX_REDIRECTS} times. Use the URL where the file is in the end.`,
  );
}

async function send(
  url: URL,
  isTrusted: boolean,
  { source, accept, conditions }: HttpRequest,
  context: FetchContext,
) {
  const { connectMs, responseMs } = deadlinesOf(context);
  const asked = isTrusted ? withQuery(url, source.query) : url;
  try {
    return await context.outbound.open(asked.href, {
      headers: { ...(isTrusted ? source.headers : {}), ...conditions, accept, 'accept-encoding': 'gzip' },
      connectTimeoutMs: connectMs,
      responseTimeoutMs: responseMs,
      stopped: context.stopped,
    });
  } catch (error) {
    throw toSourceError(error);
  }
}

/** A parameter that is there already, as in the link of a next page, is not added once more. */
function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  const asked = new URL(url);
  for (const [name, value] of Object.entries(query)) asked.searchParams.set(name, value);
  return asked;
}

function targetOf(location: string, from: URL): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (!target || target.username + target.password !== '')
    throw new SourceError('redirect', `${from.hostname} redirects to an invalid URL.`);
  if (from.protocol === 'https:' && target.protocol !== 'https:')
    throw new SourceError(
      'redirect',
      `${from.hostname} redirects from https: to ${target.protocol}, which Muster does not follow.`,
    );
  return target;
}

function refusal(host: string, status: number): SourceError {
  const what = `${host} responded with ${status}`;
  switch (status) {
    case 401:
    case 403:
    case 407:
      return new SourceError(
        'auth',
        `${what}. Check \`headers\` and \`query\`: the token may be missing, expired or not allowed to read this.`,
      );
    case 404:
    case 410:
      return new SourceError(
        'not_found',
        `${what}. Check \`url\`: some servers also respond so if the token is missing.`,
      );
    case 408:
    case 425:
    case 429:
      return new SourceError('unavailable', `${what}: it wants fewer or later requests.`);
    default:
      return status >= 500
        ? new SourceError('unavailable', `${what}.`)
        : new SourceError('rejected', `${what} instead of the file. Check \`url\`.`);
  }
}
