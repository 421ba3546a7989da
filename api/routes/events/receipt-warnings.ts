import type { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import { countUntitled } from '../../../db/events/alerts/alerts.js';
import type { StoredEvent } from '../../../db/events/events.js';
import {
  type CompiledMapping,
  type EventRequest,
  MAY_STATE_TRUNCATION,
  parsePayload,
  statedTruncation,
} from '../../../workers/mapping/index.js';
import { compiledRevision } from '../../preview/compiled-revision.js';
import { type Asker, oneAtATime, unlessBusy } from '../../preview/one-at-a-time.js';
import type { ApiServices } from '../../services.js';
import { fieldWarnings } from './field-warnings.js';
import type { EventOutcomes } from './outcomes.js';
import type { mappingErrorSchema } from './schema.js';

type Warning = z.input<typeof mappingErrorSchema>;
type Receipt = StoredEvent & EventOutcomes;

/**
 * Returns warnings about the filter, about what is missing in alerts that may still be complete, about values unless too many
 * previews wait, and about what the sender left out.
 */
export async function warningsOf(
  asker: Asker & { services: ApiServices },
  event: Receipt,
  input: { raw: Buffer; request: EventRequest | undefined; lookups: string | null },
): Promise<Warning[]> {
  const { database } = asker.services;
  const mapping = await compiledRevision(database, event.webhookId, event.revision);
  const [untitled, values] = await Promise.all([
    missingTitle(database, event),
    mapping && event.state === 'normalized'
      ? unlessBusy(oneAtATime(asker, (pause) => fieldWarnings(database, mapping, input, pause)))
      : null,
  ]);
  const keyless = values?.filter(({ code }) => code === NO_KEY) ?? [];
  const missing = [
    truncatedPayload(input.raw),
    untitled,
    mapping && missingKey(mapping, event, keyless[0]?.path),
  ].filter((warning) => warning !== null);
  const others = values?.filter((warning) => !keyless.includes(warning)) ?? [];
  return [...(event.filter?.warnings ?? []), ...missing, ...others];
}

const NO_KEY = 'missing_dedup_key';

function truncatedPayload(raw: Buffer): Warning | null {
  if (!MAY_STATE_TRUNCATION.test(raw.toString('latin1'))) return null;
  const parsed = parsePayload(raw);
  const stated = 'value' in parsed ? statedTruncation(parsed.value) : null;
  if (!stated) return null;
  const { path, count } = stated;
  const what = count === null ? 'left something out of this payload' : `left ${count} out of this payload`;
  const message = `The sender says that it ${what} (\`${path}\`). Look there for what is missing, or raise the limit of the sender, such as \`max_alerts\`.`;
  return { field: null, code: 'payload_truncated', message, path };
}

const NO_MAPPING: Warning = {
  field: null,
  code: 'no_mapping',
  message:
    'No mapping yet, so the alert is empty. To find a template for this payload, open the mapping of the integration in the console, or send ' +
    '`{"payload": …}` to `POST /v2/webhook-templates/recognize`. Save its mapping with `PUT /v2/webhooks/{id}/mapping`, then remap.',
};

async function missingTitle(database: Database, { alertIds, revision }: Receipt): Promise<Warning | null> {
  const untitled = await countUntitled(database, alertIds);
  if (untitled === 0) return null;
  if (revision === 0) return NO_MAPPING;
  const which = alertIds.length === 1 ? 'The alert has' : `${untitled} of ${alertIds.length} alerts have`;
  const message = `${which} no title. In the mapping, change the template of \`title\` or give it a default.`;
  return { field: 'title', code: 'missing_title', message };
}

/** @param path a path of the key that leads to nothing, if it is known */
function missingKey(
  mapping: CompiledMapping,
  { alertCount, keyedCount, outcomes }: Receipt,
  path: string | undefined,
): Warning | null {
  const repeatable = outcomes.filter(({ dedupKey }) => dedupKey === null).length;
  const missing = alertCount - keyedCount + repeatable;
  if (missing <= 0) return null;
  if (!mapping.fields.some(({ name }) => name === 'dedupKey')) return null;
  const which = alertCount === 1 ? 'The event has' : `${missing} of ${alertCount} items have`;
  const stands = missing === 1 ? 'its alert stands alone' : 'their alerts stand alone';
  const why = path === undefined ? '' : ` The payload has no value at ${path}.`;
  const message = `${which} no deduplication key, so ${stands}: no other event updates or resolves it.${why} In the mapping, change \`dedupKey\`.`;
  return { field: 'dedupKey', code: NO_KEY, message, ...(path !== undefined && { path }) };
}
