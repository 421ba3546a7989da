import { z } from 'zod';
import { MATCHINGS } from '../../../db/lookups/lookup-keys.js';
import { findTable, type LookupTable } from '../../../db/lookups/lookup-tables.js';
import type { Revision } from '../../../db/lookups/revisions.js';
import { managedBy } from '../../endpoint/managed-by.js';
import { success } from '../../endpoint/responses.js';
import { hashJson, preconditionFailed } from '../../http/entity-tag.js';
import { notFound } from '../../http/errors.js';
import type { ApiServices } from '../../services.js';

/** All columns of a table may be its key. */
export const MAX_KEY_COLUMNS = 20;

export const READ_SCOPES = ['tables:read', 'tables:write'] as const;

export const TABLE_PARAMS = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9_-]{0,63}$/,
      'must be 1 to 64 of a-z, 0-9, _ and -, and start with a letter or digit',
    )
    .meta({ description: 'Name of the table' }),
});

export const matching = z.enum(MATCHINGS).meta({
  description:
    'How a key finds a row. `exact`; `caseInsensitive`; `prefix`: the longest key that it starts with; `cidr`: the smallest network that contains it; `glob`: ' +
    'the pattern that fits, with `*` for any text and `?` for one character, and of several the one with the most other characters',
});

const shape = {
  matching,
  keyColumns: z.array(z.string()),
  columns: z.array(z.string()),
  rowCount: z.number().int(),
};

export const tableSchema = z
  .object({
    name: z.string(),
    revision: z.number().int().meta({ description: 'The active revision' }),
    ...shape,
    digest: z.string().meta({
      description:
        'Tables that match keys in the same way and have the same columns and rows in the same order have the same one',
    }),
    managedBy,
    updatedAt: z.iso.datetime().meta({ description: 'When the revision became the active one' }),
  })
  .meta({ id: 'LookupTable' });

export const oneTable = z.object({ ...success, data: tableSchema });

export const tableRow = z
  .record(z.string(), z.string())
  .meta({ id: 'LookupRow', description: 'The cells of a row by the names of their columns' });

export const tableRevision = z
  .object({
    revision: z.number().int(),
    current: z.boolean(),
    ...shape,
    jobId: z.uuid().meta({ description: 'The job of the upload' }),
    createdAt: z.iso.datetime(),
    savedBy: z.object({ id: z.uuid(), name: z.string() }).nullable().meta({ description: 'The API key' }),
  })
  .meta({ id: 'LookupRevision' });

const shapeOf = ({ matching, keyColumns, columns, rowCount }: LookupTable | Revision) => ({
  matching,
  keyColumns,
  columns,
  rowCount,
});

export const presentTable = (table: LookupTable): z.input<typeof tableSchema> => ({
  name: table.name,
  revision: table.revision,
  ...shapeOf(table),
  digest: table.digest,
  managedBy: table.managedBy,
  updatedAt: table.updatedAt.toISOString(),
});

export const presentRevision = (revision: Revision, current: number): z.input<typeof tableRevision> => ({
  revision: revision.revision,
  current: revision.revision === current,
  ...shapeOf(revision),
  jobId: revision.jobId,
  createdAt: revision.createdAt.toISOString(),
  savedBy: revision.savedBy,
});

/** Returns the ETag of a table. It changes with what a file has of it. */
export const tagOf = ({ digest, managedBy }: LookupTable): string => hashJson([digest, managedBy]);

/** @throws RequestError 412 if the request expects another table */
export function requireExpected(
  isExpected: (tag: string | null) => boolean,
  table: LookupTable | null,
): void {
  const tag = table && tagOf(table);
  if (!isExpected(tag))
    throw preconditionFailed('table', { revision: table?.revision ?? 0, savedBy: null }, tag ?? undefined);
}

/** @throws RequestError 404 */
export async function requireTable(
  { database }: Pick<ApiServices, 'database'>,
  name: string,
): Promise<LookupTable> {
  const table = await findTable(database, name);
  if (!table) throw notFound('table');
  return table;
}
