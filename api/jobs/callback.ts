import { z } from 'zod';
import { findDestination } from '../../db/outbox/destinations.js';
import { presetOf } from '../../workers/outbox/presets/index.js';
import { type Principal, requireScope } from '../access/auth.js';
import { unprocessable } from '../http/errors.js';
import type { ApiServices } from '../services.js';

/** Of each request that makes a job. */
export const callback = z
  .uuid()
  .optional()
  .meta({
    description:
      'The id of a destination of the preset `webhook`, which gets `job.finished` when the job ends. The key needs `destinations:read` or ' +
      '`destinations:write`',
  });

/**
 * Returns the destination that a request names to be told when its job ends; undefined if it names none.
 * @throws RequestError 403 if the principal may not see destinations, 422 if there is none or its messages are not signed: then nobody could believe it
 */
export async function requireCallback(
  { database }: Pick<ApiServices, 'database'>,
  principal: Principal,
  id: string | undefined,
): Promise<string | undefined> {
  if (id === undefined) return undefined;
  requireScope(principal, ['destinations:read', 'destinations:write']);
  const destination = await findDestination(database, id);
  if (!destination) throw invalid('unknown_destination', 'is not a destination');
  if (!presetOf(destination.preset)?.isSigned)
    throw invalid(
      'not_a_webhook',
      `must be a destination of the preset webhook. This one is of ${destination.preset}`,
    );
  return destination.id;
}

const invalid = (code: string, message: string) =>
  unprocessable('invalid_callback', `Invalid \`callback\`: ${message}.`, [
    { field: 'callback', code, message },
  ]);
