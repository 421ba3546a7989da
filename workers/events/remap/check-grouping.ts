import { inTransaction } from '../../../db/client/transaction.js';
import { JobFailure } from '../../run/errors.js';
import { mappedEvents, type Source } from './mapped-events.js';
import { compareEvents } from './write-changes.js';

/**
 * Checks all events before the first one is written. Nothing of it is recorded: a restart checks again.
 * @throws JobFailure if the remap would move items of some events to other alerts, while the events around them stay as they are
 */
export async function checkGrouping(source: Source): Promise<void> {
  const { params, services } = source;
  let [seen, moved] = [0, 0];
  let first: string | undefined;
  for await (const events of mappedEvents(source, null)) {
    const changes = await inTransaction(services.database, (transaction) =>
      compareEvents(transaction, params.webhookId, events),
    );
    const regrouped = changes.filter(({ regroups }) => regroups);
    seen += events.length;
    moved += regrouped.length;
    first ??= regrouped[0]?.id;
  }
  if (first === undefined) return;
  const message =
    `${moved} of ${seen} ${seen === 1 ? 'event' : 'events'} would get another dedupKey or status, first event ${first}. ` +
    'Their alerts may also contain events that this remap leaves out. Nothing was written. ' +
    'Remap all events: leave out from, to and onlyIncomplete.';
  throw new JobFailure('grouping_changes', message);
}
