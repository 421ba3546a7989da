import { differences } from '../../../workers/json/differences.js';
import { UploadFailure } from '../../upload/failure.js';
import { Folder } from '../files/folder.js';
import { type LocalTable, localTables } from '../files/local-tables.js';
import type { ReadRows } from '../files/read-rows.js';
import type { MusterServer } from './client.js';
import { exportTables } from './export-tables.js';
import { type Applied, NOTHING, type PlannedChange, refused } from './planned-change.js';
import type { Applying, Planning, ServerKind } from './server-kind.js';
import {
  find,
  isSame,
  type PlannedTable,
  pathOf,
  plannedTable,
  rowsOf,
  type StoredTable,
  upload,
} from './table-requests.js';

/** Returns where a table differs from the stored one. */
async function changesOf(
  server: MusterServer,
  stored: StoredTable,
  table: PlannedTable & { name: string; bytes: Buffer },
  rows: ReadRows,
) {
  const shapeOf = ({
    keyColumns: key,
    matching,
    columns,
    managedBy,
  }: Omit<StoredTable, 'digest' | 'rowCount'>) => ({ key, matching, columns, managedBy });
  const changes = [...differences([], shapeOf(stored), shapeOf({ ...rows, managedBy: table.managedBy }))].map(
    ({ path, ...values }) => ({ path: path.join('.'), ...values }),
  );
  if (stored.digest === table.digest) return changes;
  const { rejected, job } = await upload(server, table, { dryRun: true });
  if (!job || job.state === 'failed') throw new UploadFailure(rejected ?? job?.error?.message);
  const { added, changed, removed } = job.counts;
  const after = { rows: rows.cellsByHash.size, added, changed, removed };
  return [...changes, { path: 'rows', before: { rows: stored.rowCount }, after }];
}

async function plan({ server, directory }: Planning, file: object): Promise<PlannedChange | null> {
  const { path, csv, content } = file as LocalTable;
  const { name, managedBy } = content;
  const { rows, bytes } = await rowsOf(directory.folder, csv, content);
  const { keyColumns: key, matching, digest } = rows;
  const document = { csv, key, matching, digest, managedBy };
  const { stored, tag: base } = await find(server, name);
  if (isSame(stored, document)) return null;
  const changes = stored ? await changesOf(server, stored, { ...document, name, bytes }, rows) : [];
  return {
    ...NOTHING,
    kind: 'table',
    action: stored ? 'change' : 'create',
    name,
    file: path,
    base,
    document,
    changes,
  };
}

async function put({ server, root }: Applying, change: PlannedChange, dryRun: boolean): Promise<Applied> {
  const { name, base } = change;
  const table = plannedTable.parse(change.document);
  const { stored, tag } = await find(server, name);
  if (isSame(stored, table)) return { change, outcome: 'already' };
  if (tag !== base) return refused(change, 'it was changed since. Make a new plan');
  const { rows, bytes } = await rowsOf(new Folder(root), table.csv, { ...table, name });
  if (rows.digest !== table.digest)
    return refused(change, `${table.csv} has other rows than when the plan was made. Make a new plan`);
  if (dryRun) return { change, outcome: 'applied' };
  const { rejected, job } = await upload(server, { ...table, name, bytes }, { base });
  if (job && job.state !== 'failed' && job.state !== 'canceled') return { change, outcome: 'applied' };
  // A first request may have been carried out whose response was lost.
  if (isSame((await find(server, name)).stored, table)) return { change, outcome: 'applied' };
  return refused(change, rejected ?? job?.error?.message ?? 'its job was canceled');
}

/** Lookup tables. Their rows are uploaded if the digest of the active revision is another one. */
export const tables: ServerKind = {
  one: 'table',
  filesOf: localTables,
  plan,
  managed: async (server, managedBy) =>
    ((await server.list('/v2/tables')) ?? [])
      .filter((table) => table.managedBy === managedBy)
      .map(({ name }) => name),
  tag: async (server, name) => {
    const { stored, tag } = await find(server, name);
    return stored && tag;
  },
  put,
  delete: async ({ server }, change) => {
    const { status } = await server.send('DELETE', pathOf(change.name), {
      headers: { 'if-match': `"${change.base}"` },
      expected: [404, 412],
    });
    if (status === 404) return { change, outcome: 'already' };
    if (status === 412) return refused(change, 'it was changed since. Make a new plan');
    return { change, outcome: 'applied' };
  },
  export: exportTables,
};
