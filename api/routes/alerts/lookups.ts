import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import { findTables } from '../../../db/lookups/lookup-tables.js';
import { nearestKey } from '../../../workers/lookups/nearest-key.js';
import { LOOKUP_LIMITS, type LookupPlace, type LookupResult } from '../../../workers/mapping/index.js';
import type { Principal } from '../../access/auth.js';
import { seesOwners, shownOwner } from './owners.js';

/** What was looked up for an event, in a response. */
export const lookupSchema = z
  .object({
    table: z.string().nullable().meta({ description: 'The lookup table. `null`: the owner of an account' }),
    integrationId: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'The account system of the account. `null`: a lookup table' }),
    revision: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'The revision of the table. `null`: there was no such table, or an account' }),
    key: z.string().nullable().meta({
      description:
        'What was looked up; of several key columns, a JSON array. Without the scope `developer_records:read`, a key that is made of an owner is `***`, and email addresses in other keys of tables are masked. `null`: a part of it had no value, or it was too long, so nothing was looked up',
    }),
    row: z.record(z.string(), z.string()).nullable().meta({
      description:
        'What was found: of an account, the `email` of its owner, masked without the scope `developer_records:read`. `null`: nothing',
    }),
    reason: z
      .enum(['no_key', 'key_too_long', 'no_table', 'no_row', ...LOOKUP_LIMITS])
      .nullable()
      .meta({
        description:
          'Why nothing was found. `key_too_long`: the key has more than 1,000 characters. `too_many_keys`: the event has more than 10,000 different keys. `too_much_text`: more than 2,000,000 characters were found for it before. `too_many_comparisons`: its keys were compared with more than 50,000,000 characters of patterns before',
      }),
    error: z
      .string()
      .optional()
      .meta({ description: 'Why the key could not be made. Absent unless its expression failed' }),
    nearest: z.string().nullable().meta({
      description:
        'The key of the row that was probably meant, in the table as it is now, masked like `key`. `null`: none is similar',
    }),
  })
  .meta({ id: 'LookedUp' });

type Shown = z.input<typeof lookupSchema>;

/** What readers get who see no owners, of a key that is made of one. */
const MASKED_KEY = '***';

/** Keys without a row for which a similar one is searched. */
const MAX_NEAREST = 20;

/** Returns what was looked up as a principal sees it, with the rows that were probably meant. */
export async function shownLookups(
  database: Database,
  principal: Principal,
  results: readonly LookupResult[],
): Promise<Shown[]> {
  const missed = results.filter(({ reason }) => reason === 'no_row').slice(0, MAX_NEAREST);
  const tables = await findTables(database, [
    ...new Set(missed.flatMap(({ place }) => tableOf(place) ?? [])),
  ]);
  const nearest = new Map<LookupResult, string | null>();
  for (const one of missed) {
    const table = tables.get(tableOf(one.place) ?? '');
    if (table && one.key !== null) nearest.set(one, await nearestKey(database, table, one.key));
  }
  return results.map((one) => ({
    ...shownLookup(principal, one),
    nearest: shownKey(principal, one, nearest.get(one) ?? null),
  }));
}

function shownLookup(principal: Principal, one: LookupResult): Omit<Shown, 'nearest'> {
  const { place, revision, row, reason, error } = one;
  const common = { revision, key: shownKey(principal, one, one.key), reason, ...(error && { error }) };
  if ('table' in place) return { ...common, table: place.table, integrationId: null, row };
  const email = shownOwner(principal, row?.email ?? null);
  const shown = email === null ? null : { email };
  return { ...common, table: null, integrationId: place.integrationId, row: shown };
}

/** Returns the key of a lookup, or a similar one, as a key of the API sees it. Masking an owner changes no text without an `@`. */
function shownKey(principal: Principal, { place, ofOwner }: LookupResult, key: string | null): string | null {
  if (key !== null && ofOwner && !seesOwners(principal)) return MASKED_KEY;
  return 'table' in place ? shownOwner(principal, key) : key;
}

const tableOf = (place: LookupPlace): string | null => ('table' in place ? place.table : null);

/** Returns what lookups found, by name, as a principal sees it. */
export async function shownByName(
  database: Database,
  principal: Principal,
  results: Readonly<Record<string, LookupResult>>,
): Promise<Record<string, Shown>> {
  const shown = await shownLookups(database, principal, Object.values(results));
  return Object.fromEntries(
    Object.keys(results).flatMap((name, index) => {
      const one = shown[index];
      return one ? [[name, one]] : [];
    }),
  );
}
