import http, { type ClientRequest } from 'node:http';
import https from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import { type Duplex, PassThrough } from 'node:stream';
import { OutboundError } from './outbound-error.js';

const TIMEOUT_MS = 5_000;
/** What a proxy needs for a host that does not exist. */
const NO_HOST_MS = 2_000;

/** Connects to hosts through the proxy of the operator (CONNECT), which resolves their names. */
export class ProxyAgent extends https.Agent {
  readonly #proxy: URL;

  constructor(proxy: URL, options: https.AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(
    options: https.RequestOptions & { socket?: Socket },
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    // TLS is with the host, in the tunnel.
    if (options.socket) return super.createConnection(options);
    openTunnel(this.#proxy, String(options.host), Number(options.port)).then(
      (socket) => {
        const stream = this.createConnection({ ...options, socket });
        if (stream) callback?.(null, stream);
      },
      (error) => callback?.(error, new PassThrough()),
    );
    return undefined;
  }
}

/**
 * Asks a proxy for a host that does not exist, which it should say.
 * @throws OutboundError `proxy` if it does not accept the connection or the login, or refuses
 */
export async function checkProxy(proxy: URL): Promise<void> {
  try {
    (await openTunnel(proxy, NO_HOST, 443)).destroy();
  } catch (error) {
    if (!(error instanceof OutboundError) || error.isOurs) throw error;
  }
}

/** https://www.rfc-editor.org/rfc/rfc6761#section-6.4 */
const NO_HOST = 'muster.invalid';

/**
 * Connects to a host through a proxy.
 * @throws OutboundError `proxy` if it is the fault of the proxy, or what the proxy says of the host
 */
export async function openTunnel(proxy: URL, host: string, port: number): Promise<Socket> {
  const response = await ask(proxy, { host, port }, TIMEOUT_MS);
  if (!response) throw await silence(proxy, host);
  if (response.status >= 200 && response.status < 300) return response.socket;
  response.socket.destroy();
  throw rejection(response.status, host);
}

/** Returns whose fault it is that a proxy does not respond. If it responds about a host that does not exist, it waits for the other one. */
async function silence(proxy: URL, host: string): Promise<OutboundError> {
  const response = await ask(proxy, { host: NO_HOST, port: 443 }, NO_HOST_MS);
  response?.socket.destroy();
  return response
    ? new OutboundError('timeout', `The proxy did not reach ${host} within ${TIMEOUT_MS / 1_000} s.`)
    : ours('it accepts a connection and does not respond');
}

/** Asks a proxy to connect to a host. Returns null if it does not respond in time. @throws OutboundError `proxy` if there is no connection with it */
function ask(
  proxy: URL,
  { host, port }: { host: string; port: number },
  timeoutMs: number,
): Promise<{ status: number; socket: Socket } | null> {
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const request = connectRequest(proxy, authority);
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const late = setTimeout(() => {
      if (isConnected) resolve(null);
      else reject(ours('it does not accept a connection'));
      request.destroy();
    }, timeoutMs);
    request.once('socket', (socket) => {
      socket.once(proxy.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        isConnected = true;
      });
    });
    request.once('error', ({ message }) => reject(ours(message)));
    request.once('connect', ({ statusCode = 0 }, socket) => resolve({ status: statusCode, socket }));
    request.once('close', () => clearTimeout(late));
    request.end();
  });
}

function connectRequest(proxy: URL, authority: string): ClientRequest {
  const { protocol, hostname, port, username, password } = proxy;
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const options = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path: authority,
    headers: {
      host: authority,
      'user-agent': 'Muster',
      ...(username && { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
    },
    agent: false,
  };
  return protocol === 'https:' ? https.request(options) : http.request(options);
}

/** With 5xx, the proxy says that it did not reach the host. With anything else, it refuses: that is for the operator to fix. */
function rejection(status: number, host: string): OutboundError {
  if (status === 504) return new OutboundError('timeout', `${host} did not respond to the proxy.`);
  if (status >= 500) return new OutboundError('refused', `The proxy did not reach ${host} (${status}).`);
  return ours(`it responded with ${status}`);
}

const ours = (why: string): OutboundError =>
  new OutboundError('proxy', `The proxy (OUTBOUND_PROXY) does not connect: ${why}.`, { isOurs: true });
