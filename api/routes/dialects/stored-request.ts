import { setTimeout as sleep } from 'node:timers/promises';
import { type Alert, findAlert } from '../../../db/events/alerts/alerts.js';
import { RequestError } from '../../http/errors.js';
import { requireEvent } from '../events/read.js';
import { type Body, isObject, type Received } from './dialect.js';

/** How long a request waits for a worker. Some clients ask 25 times without a pause. */
const WAIT_MS = 1_500;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [10, 100];
/** Requests of this process that may wait. Further ones are told at once that it is not processed. */
const MAX_WAITING = 200;
let waiting = 0;

/** Of the versions that ids of events and alerts have. */
const UUID = /^[\da-f]{8}-[\da-f]{4}-[5-8][\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/i;

/** Returns whether a text may be the id of a request or alert. */
export const isId = (text: string): boolean => UUID.test(text);

/** An event of the integration, and the body that was written of it. */
export interface StoredRequest {
  event: Awaited<ReturnType<typeof requireEvent>>['event'];
  body: Body;
}

/**
 * Returns the event with an id, once a worker has stored it; null if the integration has none.
 * @throws RequestError 404 `not_stored_yet` if that takes too long
 */
export async function storedRequest(
  { services, target }: Pick<Received, 'services' | 'target'>,
  id: string,
  withinMs = WAIT_MS,
): Promise<StoredRequest | null> {
  if (!isId(id)) return null;
  const until = performance.now() + (waiting < MAX_WAITING ? withinMs : 0);
  waiting += 1;
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const found = await requireEvent(services, id.toLowerCase()).catch((error: unknown) => {
        if (!(error instanceof RequestError) || error.status !== 404) throw error;
        if (error.code === 'not_stored_yet' && performance.now() < until) return 'wait' as const;
        if (error.code === 'not_stored_yet') throw error;
        return null;
      });
      if (found === null) return null;
      if (found !== 'wait')
        return found.event.webhookId === target.webhook.id
          ? { event: found.event, body: parsed(found.raw) }
          : null;
      await sleep(pause);
    }
  } finally {
    waiting -= 1;
  }
}

function parsed(raw: Buffer): Body {
  try {
    const value: unknown = JSON.parse(raw.toString());
    return isObject(value) ? value : {};
  } catch {
    // The log of a ping, or what was rejected.
    return {};
  }
}

/** Returns the alert of the integration with an id; null if it has none. */
export async function ownAlert(
  { services, target }: Pick<Received, 'services' | 'target'>,
  id: string,
): Promise<Alert | null> {
  const alert = await findAlert(services.database, id.toLowerCase());
  return alert?.webhookId === target.webhook.id ? alert : null;
}

/** A client takes 404 for the end of it, and its close would be lost. */
export function sendAgain(error: unknown): never {
  if (!(error instanceof RequestError) || error.code !== 'not_stored_yet') throw error;
  throw new RequestError(503, error.code, 'The alert may not be stored yet. Send the request again later.', {
    headers: { 'Retry-After': '1' },
  });
}
