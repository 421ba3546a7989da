import type { IncomingMessage, ServerResponse } from 'node:http';

/** Requests with `Expect: 100-continue` whose body was not asked for yet. */
const waiting = new WeakSet<IncomingMessage>();

/** Notes that a client sends its body only when it is asked to, or after a while. */
export const noteExpectation = (req: IncomingMessage): void => void waiting.add(req);

/** Returns whether the client was not asked for its body. Its connection cannot be used again: it may send the body or not. */
export const awaitsContinue = (req: IncomingMessage): boolean => waiting.has(req);

/** Asks for the body with `100 Continue`. Call it when everything is checked that can be checked without the body. */
export function askForBody(req: IncomingMessage, res: ServerResponse): void {
  if (waiting.delete(req)) res.writeContinue();
}
