/**
 * The part of an HTTP request that is stored with its event, next to the body. Templates read it as `request.method` or
 * `request.headers.x-github-event`. An event of an older release has none.
 */
export type EventRequest = {
  method: string;
  /** Null if the sender named none. */
  contentType: string | null;
  /** Query parameters by name: a text, or a list of texts for a repeated parameter. */
  query: RequestValues;
  /** Headers by name in lower case. A repeated header is one text, joined by `, `. */
  headers: RequestValues;
  /** The names of parameters and headers whose values were not stored. To a mapping they are missing. */
  masked?: { query: string[]; headers: string[] };
  /** Set if headers or query parameters were left out because there were too many. */
  truncated?: true;
};

export type RequestValues = { [name: string]: string | string[] };

/** The parts of a request that a path may name. Any other key after `request` is a key of the payload. */
export const REQUEST_PARTS: readonly string[] = ['method', 'contentType', 'query', 'headers'];

/** Returns the request of an event, or undefined. A function, because most mappings do not read it, and parsing takes time. */
export type RequestSource = () => EventRequest | undefined;

/** Returns a source that parses a stored request when it is first read. */
export function storedRequest(text: string | undefined): RequestSource {
  let request: { parsed: EventRequest | undefined } | null = null;
  return () => {
    request ??= { parsed: parseRequest(text) };
    return request.parsed;
  };
}

/**
 * Returns a stored request; undefined if there is none. Text that is not JSON counts as none, because a mapping must not fail
 * for it.
 */
export function parseRequest(text: string | null | undefined): EventRequest | undefined {
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
