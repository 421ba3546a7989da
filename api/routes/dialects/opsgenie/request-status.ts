import { RequestError } from '../../../http/errors.js';
import { type EventOutcomes, withOutcomes } from '../../events/outcomes.js';
import type { Received, Reply } from '../dialect.js';
import { identifierIn } from '../identifier-in.js';
import { type StoredRequest, storedRequest } from '../stored-request.js';
import { found } from './replies.js';

const NOT_FOUND = 'Request not found. It might not be processed, yet.';

/** Says what became of a request, as soon as a worker has processed it. */
export async function getRequestStatus(received: Received): Promise<Reply> {
  const { services, captures, exchange } = received;
  const stored = await storedRequest(received, identifierIn(captures)).catch(notProcessed);
  if (!stored) throw new RequestError(404, 'not_found', NOT_FOUND);
  const outcomes = await withOutcomes(services.database, stored.event);
  return found(statusOf(stored, outcomes), exchange);
}

/** Clients ask again if they see this header. */
const UNPROCESSED = { 'X-Opsgenie-Errortype': 'RequestNotProcessed' };

function notProcessed(error: unknown): never {
  if (error instanceof RequestError && error.code === 'not_stored_yet')
    throw new RequestError(404, 'not_stored_yet', NOT_FOUND, { headers: UNPROCESSED });
  throw error;
}

function statusOf({ event, body }: StoredRequest, { outcomes, alertIds }: EventOutcomes): object {
  const [outcome] = outcomes;
  const action = String(body.action ?? '');
  const { done, status } = resultOf({ event, action }, outcome?.outcome ?? null, alertIds.length > 0);
  return {
    success: done,
    isSuccess: done,
    action,
    processedAt: event.receivedAt.toISOString(),
    integrationId: event.webhookId,
    status,
    alertId: done ? (outcome?.alertId ?? alertIds[0] ?? '') : '',
    alias: done ? String(body.alias ?? '') : '',
  };
}

const DONE: Readonly<Record<string, string>> = {
  Close: 'Closed alert',
  Delete: 'Closed alert: Muster deletes none',
  Acknowledge: 'Acknowledged alert',
  UnAcknowledge: 'Unacknowledged alert',
  AddNote: 'Added note to alert',
  UpdateMessage: 'Updated message of alert',
  UpdateDescription: 'Updated description of alert',
  UpdatePriority: 'Updated priority of alert',
};

/** Clients look for its first words. */
const NONE_OPEN = 'There is no open alert with this alias in this integration';

type Outcome = EventOutcomes['outcomes'][number]['outcome'];

function resultOf(
  { event, action }: { event: StoredRequest['event']; action: string },
  outcome: Outcome | null,
  hasAlert: boolean,
): { done: boolean; status: string } {
  if (event.state === 'rejected' || event.state === 'failed')
    return { done: false, status: event.faults[0]?.message ?? 'The mapping failed' };
  if (event.state === 'filtered')
    return { done: false, status: 'The filter of the mapping dropped the request' };
  if (outcome === 'nothing_to_resolve' || outcome === 'nothing_to_update')
    return { done: false, status: NONE_OPEN };
  if (outcome === 'outdated') return { done: false, status: 'The request is about a problem that is over' };
  // The mapping ignores an alias such as `null` or `-`, so the request finds no alert.
  if (outcome === null && hasAlert && action !== 'Create') return { done: false, status: NONE_OPEN };
  if (outcome === null && !hasAlert) return { done: false, status: 'The mapping made no alert of it' };
  if (action === 'Create')
    return { done: true, status: outcome === 'updated' ? 'Counted for the open alert' : 'Created alert' };
  return { done: true, status: DONE[action] ?? 'Added to the timeline of the alert' };
}
