import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PostedAlert } from '../../../workers/alertmanager/posted-alert.js';
import { RequestError } from '../../http/errors.js';
import type { TokenTarget } from '../../intake/webhook-directory.js';
import type { ApiServices } from '../../services.js';

/** The address of a request, before anything of it is checked. */
export interface Address {
  /** In upper case. */
  method: string;
  /** As it was sent, without the query and without the webhook URL. */
  path: string;
  query: Readonly<Record<string, string | string[]>>;
  headers: IncomingMessage['headers'];
  /** The token of the webhook URL that the path began with; null at the root. */
  token: string | null;
}

/** A JSON object, as it was parsed. */
export type Body = Readonly<Record<string, unknown>>;

/** What a route gets of a request. */
export interface Received {
  address: Address;
  /** The parts of the path that the pattern of the route captures, as they were sent. */
  captures: readonly string[];
  target: TokenTarget;
  /** Empty for a request without a body. */
  body: Body;
  /** Of a route for lists. */
  list: readonly unknown[];
  /** The JSON text of the body. */
  text: string;
  /** What a ping of a heartbeat keeps: the body, or the start of it, of a route for logs. */
  log: Buffer;
  req: IncomingMessage;
  res: ServerResponse;
  exchange: Exchange;
  services: ApiServices;
  /**
   * Makes an event of the request. `write` gets its id and returns its body, JSON. Resolves to the id once it is queued.
   * @param key of the problem: events with the same key keep the order in which they are accepted
   */
  accept(write: (id: string) => string, key?: string | null): Promise<string>;
  /**
   * Makes an event of each alert, which count as one for the limit of the integration. Resolves once all are queued. A portion of the
   * alerts is read at a time.
   */
  acceptAll(alerts: Iterable<PostedAlert>): Promise<void>;
}

/** What a reply may say of a request, whatever it asks for. */
export interface Exchange {
  requestId: string;
  /** Returns the seconds since it began. */
  took(): number;
}

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Reply {
  status: number;
  /** JSON of the body; null for none. */
  body: object | string | null;
  /** A body that is not JSON. */
  text?: string;
  headers?: Readonly<Record<string, string>>;
}

/** What a dialect does at a path with a method. */
export interface DialectRoute {
  methods: readonly string[];
  /** Of the whole path. */
  path: RegExp;
  /** For traces: `/v2/alerts/{identifier}/close`. */
  name: string;
  /** Takes no body: what is sent is dropped. */
  bodiless?: true;
  /** Shows what is stored: the token is not enough if the integration requires signatures. */
  reads?: true;
  /** Its body is a list, which may be larger than that of one event. */
  isList?: true;
  /** Its body is any JSON, as that of a plain event. */
  isAny?: true;
  /** Its body is the log of a job, of any type and size, of which the start is kept. */
  isLog?: true;
  handle(received: Received): Promise<Reply>;
}

/**
 * An API of another product that Muster understands, with an integration's token as its key. Its requests become events of the
 * integration, and its responses are those of the other product, errors too.
 */
export interface Dialect {
  /** Returns whether requests to an address are spoken in it. */
  speaks(address: Address): boolean;
  routes: readonly DialectRoute[];
  /**
   * Returns the token of a request; null if it has none.
   * @param member returns a member of the body; null before the body is read: then undefined says that the token is one. The body is parsed
   * only for a token that is known
   */
  tokenOf(address: Address, member: ((name: string) => unknown) | null): string | null | undefined;
  /** Changes that remove the members of a body that hold a key. */
  withoutKeys?: Readonly<Record<string, undefined>>;
  /** Returns the response to a request that is rejected. */
  rejection(error: RequestError, exchange: Exchange): Reply;
  /** Returns headers of every response, besides those of a reply. */
  headers?(exchange: Exchange): Readonly<Record<string, string>>;
}

/** The code of a request whose content a dialect does not accept. It is recorded as a rejected event. */
export const INVALID = 'invalid_event';

/** Returns the error for fields with invalid values. */
export function invalidEvent(
  status: number,
  faults: readonly { field: string; message: string }[],
): RequestError {
  const errors = faults.map(({ field, message }) => ({ field, code: 'invalid_value', message }));
  return new RequestError(status, INVALID, errors.map(({ message }) => message).join(' '), { errors });
}
