/** A later page loads its data again. In milliseconds. */
const FRESH_MS = 5_000;

interface Early {
  /** The key that the request was sent with. */
  key: string;
  sentAt: number;
  body: Promise<unknown>;
}

/** Requests that were sent before the code of the page could send them, by their address. */
const requests = new Map<string, Early>();

/**
 * Sends a request with the session's key, and returns the body of its response. `takeEarly` returns it once. A failure is left to the one
 * who takes it.
 */
export function requestEarly<Body>(
  address: string,
  key: string,
  send: (address: string) => Promise<Body>,
): Promise<Body> {
  const body = send(address);
  body.catch(() => {});
  requests.set(address, { key, sentAt: performance.now(), body });
  return body;
}

/**
 * Returns the body of a response that was requested early. Undefined if there is none, if it is old, or if it was requested with another
 * key: nobody may see what was loaded for somebody else.
 */
export function takeEarly<Body>(address: string, key: string | null): Promise<Body> | undefined {
  const early = requests.get(address);
  requests.delete(address);
  const isUsable = early?.key === key && performance.now() - early.sentAt < FRESH_MS;
  return isUsable ? (early.body as Promise<Body>) : undefined;
}
