import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import { AllowList } from './allow-list.js';
import { connectTo } from './connect.js';
import { withDeadline } from './deadline.js';
import {
  type ExchangeTimings,
  exchange,
  type OpenOptions,
  type OpenResponse,
  openExchange,
  UnsentError,
} from './exchange.js';
import { INTERNET, type Network } from './network.js';
import { OutboundError } from './outbound-error.js';
import { openTunnel, ProxyAgent } from './proxy-agent.js';
import { type Place, parseTarget, resolvePlace, resolveTarget, type Target } from './target.js';

export interface GetLimits {
  /** For the whole request, including the lookup of the name. */
  timeoutMs: number;
  maxBytes: number;
}

export interface GetResponse {
  status: number;
  body: Buffer;
}

export interface OpenGetOptions {
  /** Not checked here, except for characters that HTTP does not allow. */
  headers: Readonly<Record<string, string>>;
  /** For TCP and TLS. */
  connectTimeoutMs: number;
  /** From the lookup of the name to the headers of the response. The caller limits what comes after it. */
  responseTimeoutMs: number;
  /** Ends the request until its headers have come. It then fails with its reason. */
  stopped: AbortSignal;
}

export interface PostOptions {
  /** Not checked here, except for characters that HTTP does not allow. */
  headers?: Readonly<Record<string, string>>;
  /** Sent as it is. */
  body: Buffer;
  /** For the whole request, from the lookup of the name to the last byte. Default: 15 s. */
  timeoutMs?: number;
  /** For TCP and TLS. Default: 5 s. */
  connectTimeoutMs?: number;
  /** What is read of the body of the response; then the connection is closed. Default: 16 KiB. */
  maxResponseBytes?: number;
  /** Ends the request, which then fails with its reason. */
  stopped?: AbortSignal | undefined;
}

export interface PostResponse {
  status: number;
  headers: Partial<Record<(typeof KEPT_HEADERS)[number], string>>;
  body: Buffer;
  /** In ms. */
  timings: ExchangeTimings & { dns: number; total: number };
}

const KEPT_HEADERS = ['retry-after', 'content-type', 'x-request-id'] as const;
/** Shorter than what servers and load balancers wait for the next request: most wait at least 5 s. */
const IDLE_SOCKET_MS = 4_000;
const MAX_IDLE_SOCKETS = 4;
const KEEP_ALIVE = { keepAlive: true, timeout: IDLE_SOCKET_MS, maxFreeSockets: MAX_IDLE_SOCKETS };
/** The addresses of a host to try, which share the time to connect. */
const MAX_ADDRESSES = 3;

/**
 * Sends requests to public hosts, and to those that the operator lists. The addresses of a host are checked before each request, and the
 * request uses exactly these addresses. Redirects are not followed, and no proxy of the
 * environment is used, only the one that is given.
 */
export class OutboundClient {
  readonly #network: Network;
  readonly #allow: AllowList;
  readonly #proxy: URL | null;
  // An agent keeps connections by address, port and TLS name. So a kept connection leads to an address of the latest check.
  readonly #agents = { http: new http.Agent(KEEP_ALIVE), https: new https.Agent(KEEP_ALIVE) };
  readonly #tunnels: { agent: ProxyAgent; freshAgent: ProxyAgent } | null;

  /** @param proxy connects to all hosts that are not listed */
  constructor(network: Network = INTERNET, allow: AllowList = AllowList.EMPTY, proxy: URL | null = null) {
    this.#network = network;
    this.#allow = allow;
    this.#proxy = proxy;
    this.#tunnels = proxy && {
      agent: new ProxyAgent(proxy, KEEP_ALIVE),
      freshAgent: new ProxyAgent(proxy, {}),
    };
  }

  /**
   * Sends a GET request to a public host name, on a connection of its own. Returns the response, whatever its status below 300 or from 400.
   * @throws OutboundError
   */
  async get(address: string, { timeoutMs, maxBytes }: GetLimits): Promise<GetResponse> {
    const url = toHttpsUrl(address);
    const options = {
      method: 'GET',
      headers: {},
      body: null,
      agent: false,
      connectTimeoutMs: timeoutMs,
      maxBytes,
    } as const;
    const { received } = await withDeadline(timeoutMs, url.hostname, (signal) =>
      this.#send(url, null, { ...options, signal }, exchange),
    );
    const { status, body, isCut } = received;
    if (status >= 300 && status < 400)
      throw new OutboundError(
        'redirect',
        `${url.hostname} responded with a redirect (${status}). Muster does not follow redirects.`,
      );
    if (isCut)
      throw new OutboundError('too_large', `The response of ${url.hostname} exceeds ${maxBytes} bytes.`);
    return { status, body };
  }

  /**
   * Sends a GET request, on a connection of its own. Returns the response, whatever its status, also of a redirect, when its headers have come. The body
   * must be read or destroyed, and fails unless it comes to its end.
   * @throws OutboundError, or TypeError for a header that HTTP does not allow
   */
  async open(address: string, options: OpenGetOptions): Promise<OpenResponse> {
    const { headers, connectTimeoutMs, responseTimeoutMs, stopped } = options;
    const url = parseTarget(address);
    const request = { method: 'GET', headers, body: null, agent: false, connectTimeoutMs } as const;
    const { received } = await withDeadline(
      responseTimeoutMs,
      url.hostname,
      (signal) => this.#send(url, this.#allow, { ...request, signal }, openExchange),
      stopped,
    );
    return received;
  }

  /**
   * Opens a TCP connection, by the rules of requests.
   * @param stopped ends it until it is open, and is what it fails with then
   * @throws OutboundError
   */
  async connect(place: Place, timeoutMs: number, stopped: AbortSignal): Promise<Socket> {
    return withDeadline(
      timeoutMs,
      place.host,
      async (signal) => {
        const socket = await this.#connect(place, timeoutMs, signal);
        if (signal.aborted) socket.destroy();
        return socket;
      },
      stopped,
    );
  }

  async #connect(place: Place, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    const { host, port } = place;
    const target = await resolvePlace(place, this.#allow, this.#network, this.#proxy);
    if (target.isProxied && this.#proxy) return openTunnel(this.#proxy, host, port);
    const addresses = addressesToTry(target.addresses);
    let failure: unknown;
    for (const address of addresses) {
      signal.throwIfAborted();
      try {
        return await withDeadline(
          Math.round(timeoutMs / addresses.length),
          host,
          (over) => connectTo(host, address, port, over),
          signal,
        );
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /**
   * Delivers a body. Returns the response, whatever its status, also of a redirect. A connection is kept for 4 s. If the host closes it meanwhile,
   * the request is sent once more on a new one. The caller checks custom headers when it saves them.
   * @throws OutboundError, or TypeError for a header that HTTP does not allow, which no retry helps
   */
  async post(address: string, options: PostOptions): Promise<PostResponse> {
    const { headers = {}, body, timeoutMs = 15_000, connectTimeoutMs = 5_000 } = options;
    const startedAt = performance.now();
    const url = parseTarget(address);
    const { received, dns } = await withDeadline(
      timeoutMs,
      url.hostname,
      (signal) =>
        this.#send(
          url,
          this.#allow,
          {
            method: 'POST',
            headers: { ...headers, 'Content-Length': String(body.length) },
            body,
            agent: url.protocol === 'https:' ? this.#agents.https : this.#agents.http,
            signal,
            connectTimeoutMs,
            maxBytes: options.maxResponseBytes ?? 16_384,
          },
          exchange,
        ),
      options.stopped,
    );
    const total = Math.round(performance.now() - startedAt);
    return {
      status: received.status,
      headers: keptHeaders(received.headers),
      body: received.body,
      timings: { dns, ...received.timings, total },
    };
  }

  /** Closes all connections. */
  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
    this.#tunnels?.agent.destroy();
  }

  /** Resolves and checks the host, and sends the request to its addresses in turn until one accepts it. */
  async #send<Options extends SendOptions, Result>(
    url: URL,
    allow: AllowList | null,
    options: Options,
    send: (target: Target, address: string, options: Options & OpenOptions) => Promise<Result>,
  ): Promise<{ received: Result; dns: number }> {
    const startedAt = performance.now();
    const target = await resolveTarget(url, allow, this.#network, this.#proxy);
    const dns = Math.round(performance.now() - startedAt);
    const addresses = addressesToTry(target.addresses);
    const connectTimeoutMs = Math.round(options.connectTimeoutMs / addresses.length);
    let failure: OutboundError | undefined;
    for (const address of addresses) {
      options.signal.throwIfAborted();
      try {
        const { ca } = this.#network;
        const direct = { agent: options.agent, freshAgent: false } as const;
        const through = target.isProxied && this.#tunnels ? this.#tunnels : direct;
        const received = await send(target, address, { ...options, ...through, ca, connectTimeoutMs });
        return { received, dns };
      } catch (error) {
        if (!(error instanceof UnsentError)) throw error;
        failure = error.cause;
      }
    }
    throw failure;
  }
}

type SendOptions = Omit<OpenOptions, 'ca' | 'freshAgent'>;

/** Returns a URL of a host name on the standard port, without user and password, which could be mistaken for the host. */
function toHttpsUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isValid =
    url?.protocol === 'https:' &&
    url.port === '' &&
    url.username + url.password === '' &&
    !url.hostname.startsWith('[') &&
    isIP(url.hostname) === 0;
  if (url && isValid) return url;
  throw new OutboundError(
    'invalid_url',
    'The URL must start with https:// and have a host name, no port, no user name and no IP address.',
  );
}

/** Returns the first addresses, of both families if there are: one of them may lead nowhere from this host. */
function addressesToTry(addresses: readonly string[]): string[] {
  const [first = ''] = addresses;
  const other = addresses.filter((address) => isIP(address) !== isIP(first)).slice(0, 1);
  return [...new Set([first, ...other, ...addresses])].slice(0, MAX_ADDRESSES);
}

function keptHeaders(headers: IncomingHttpHeaders): PostResponse['headers'] {
  const kept: PostResponse['headers'] = {};
  for (const name of KEPT_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') kept[name] = value;
  }
  return kept;
}
