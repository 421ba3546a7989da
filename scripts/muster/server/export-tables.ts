import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { tableFile } from '../../../api/routes/tables/file-schema.js';
import { UploadFailure } from '../../upload/failure.js';
import { MAX_AT_ONCE, mapAtOnce } from '../at-once.js';
import { FileProblem, type Folder, MAX_BYTES } from '../files/folder.js';
import { type LocalTable, localTables } from '../files/local-tables.js';
import type { Directory } from '../files/read-directory.js';
import { differs, edited } from '../yaml/edit-file.js';
import type { MusterServer } from './client.js';
import { type Exported, type ExportedFile, NOT_EXPORTED } from './server-kind.js';
import { pathOf, rowsOf, type StoredTable, storedTable } from './table-requests.js';

/** Returns the lookup tables of the server as files. A file with the same rows stays byte for byte. */
export async function exportTables(server: MusterServer, directory: Directory): Promise<Exported> {
  const listed: { name: string }[] | null = await server.list('/v2/tables');
  if (listed === null) return { ...NOT_EXPORTED, closed: ['tables'] };
  const local = new Map(localTables(directory).map((table) => [table.content.name, table]));
  const problems: string[] = [];
  const files = await mapAtOnce(listed, MAX_AT_ONCE, async (entry): Promise<ExportedFile[]> => {
    const stored = storedTable.parse(entry);
    const table = local.get(entry.name);
    try {
      return await filesOf(server, directory, { name: entry.name, stored, table });
    } catch (error) {
      if (!(error instanceof UploadFailure || error instanceof FileProblem)) throw error;
      problems.push(`${table?.path ?? entry.name}: ${error.message}`);
      return [];
    }
  });
  const names = new Set(listed.map(({ name }) => name));
  const unknown = [...local.values()].filter(({ content }) => !names.has(content.name));
  return {
    files: files.flat(),
    unknown: unknown.map(({ path }) => ({ path, one: 'table' })),
    problems,
    closed: [],
  };
}

/** Returns the rows of a table, and the file that describes it if that says more than its rows. */
async function filesOf(
  server: MusterServer,
  { folder, settings }: Directory,
  { name, stored, table }: { name: string; stored: StoredTable; table: LocalTable | undefined },
): Promise<ExportedFile[]> {
  const csv = table?.csv ?? `tables/${name}.csv`;
  const before = table && folder.has(csv) ? folder.read(csv) : null;
  const isSame = before !== null && (await digestOf(folder, csv, { name, stored })) === stored.digest;
  const after = isSame ? before.toString() : await download(server, name);
  const rows = { path: csv, before: before?.toString() ?? null, after };
  const { managedBy = settings.managedBy } = table?.content ?? {};
  const isFirst = isDeepStrictEqual(stored.keyColumns, stored.columns.slice(0, 1));
  const wanted = {
    name,
    key: isFirst && table?.content.key === undefined ? undefined : stored.keyColumns,
    matching: stored.matching,
    managedBy: stored.managedBy ?? managedBy,
  };
  const described = table?.described;
  if (described?.content) {
    const { file: _, ...content } = described.content;
    const text = edited(described.yaml, content, wanted, DEFAULTS);
    return [rows, { path: described.path, before: described.yaml.text, after: text }];
  }
  const entries = Object.entries(wanted).filter(([member, value]) =>
    member === 'managedBy'
      ? value !== settings.managedBy
      : member === 'name' || differs(DEFAULTS[member], value),
  );
  if (entries.length === 1) return [rows];
  const schema = `# yaml-language-server: $schema=${server.address}/schemas/table.json\n`;
  return [
    rows,
    { path: `tables/${name}.yaml`, before: null, after: schema + stringify(Object.fromEntries(entries)) },
  ];
}

/** Returns the digest that a file would have by the rules of the server's table; null if an upload would reject it. */
async function digestOf(
  folder: Folder,
  csv: string,
  { name, stored }: { name: string; stored: StoredTable },
): Promise<string | null> {
  const { keyColumns: key, matching, managedBy } = stored;
  try {
    return (await rowsOf(folder, csv, { name, key, matching, managedBy })).rows.digest;
  } catch (error) {
    if (error instanceof UploadFailure) return null;
    throw error;
  }
}

const DEFAULTS: Record<string, unknown> = tableFile.parse({ name: 'x' });

async function download(server: MusterServer, name: string): Promise<string> {
  const { body } = await server.send('GET', `${pathOf(name)}?format=csv`, {
    headers: { prefer: 'respond-async' },
  });
  const job = await server.ended(body.jobId);
  const file = job.links.file && (await server.download(job.links.file));
  if (typeof file === 'string' && Buffer.byteLength(file) > MAX_BYTES)
    throw new UploadFailure(`the table ${name} has more than 16 MiB. Keep it with PUT /v2/tables/${name}`);
  if (typeof file === 'string') return file;
  throw new UploadFailure(job.error?.message ?? `the rows of ${name} cannot be read`);
}
