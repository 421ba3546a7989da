import { z } from 'zod';
import { tableFile } from '../../../api/routes/tables/file-schema.js';
import { FileError } from '../../../workers/identities/record/errors.js';
import { UploadFailure } from '../../upload/failure.js';
import { FileProblem, type Folder } from '../files/folder.js';
import type { LocalTable } from '../files/local-tables.js';
import { type ReadRows, readRows } from '../files/read-rows.js';
import type { MusterServer } from './client.js';
import { tagOf } from './planned-change.js';

export const pathOf = (name: string) => `/v2/tables/${name}`;

/** A table as a plan has it. The rows are in their file, whose digest must be this one when the plan is applied. */
export const plannedTable = z.object({
  csv: z.string(),
  key: z.array(z.string()),
  matching: tableFile.shape.matching.unwrap(),
  digest: z.string(),
  managedBy: z.string().nullable(),
});
export type PlannedTable = z.infer<typeof plannedTable>;

/** The table of the server. */
export const storedTable = z.object({
  digest: z.string(),
  keyColumns: z.array(z.string()),
  columns: z.array(z.string()),
  matching: tableFile.shape.matching.unwrap(),
  rowCount: z.number(),
  managedBy: z.string().nullable(),
});
export type StoredTable = z.infer<typeof storedTable>;

/** Returns whether the server has what is wanted. */
export const isSame = (
  stored: StoredTable | null,
  wanted: Pick<PlannedTable, 'digest' | 'managedBy'>,
): boolean => stored?.digest === wanted.digest && stored.managedBy === wanted.managedBy;

/** Returns a table of the server with its tag; the tag of none is `0`. */
export async function find(
  server: MusterServer,
  name: string,
): Promise<{ stored: StoredTable | null; tag: string }> {
  const { status, body, headers } = await server.send('GET', pathOf(name), { expected: [404] });
  if (status === 404) return { stored: null, tag: '0' };
  return { stored: storedTable.parse(body.data), tag: tagOf(headers) };
}

/**
 * Reads the rows of a file.
 * @throws UploadFailure if an upload would reject them
 */
export async function rowsOf(
  folder: Folder,
  csv: string,
  content: LocalTable['content'],
): Promise<{ rows: ReadRows; bytes: Buffer }> {
  const problems: string[] = [];
  try {
    const bytes = folder.read(csv);
    const rows = await readRows(bytes, content, (_code, message, line) =>
      problems.push(line === undefined ? message : `line ${line}: ${message}`),
    );
    if (rows) return { rows, bytes };
  } catch (error) {
    if (!(error instanceof FileProblem || error instanceof FileError)) throw error;
    problems.push(error.message);
  }
  throw new UploadFailure(`${csv}: ${problems.join('; ')}`);
}

/** Uploads rows, and waits until the table has them. */
export async function upload(
  server: MusterServer,
  { name, key, matching, managedBy, bytes }: PlannedTable & { name: string; bytes: Buffer },
  more: { dryRun: true } | { base: string },
) {
  const query = new URLSearchParams({ matching, managedBy: managedBy ?? '' });
  for (const column of key) query.append('key', column);
  if ('dryRun' in more) query.append('dryRun', 'true');
  const { status, body } = await server.send('PUT', `${pathOf(name)}?${query}`, {
    csv: bytes,
    headers: { prefer: 'respond-async', ...('base' in more ? { 'if-match': `"${more.base}"` } : {}) },
    expected: [400, 409, 412, 422],
  });
  return status >= 400 ? { rejected: body.message as string } : { job: await server.ended(body.jobId) };
}
