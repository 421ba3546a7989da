import type { Job } from '../../db/jobs/jobs.js';
import { toRow } from '../../db/lookups/lookup-rows.js';
import type { LookupTable } from '../../db/lookups/lookup-tables.js';
import { type Cell, CsvTable } from '../export/csv.js';
import { writeExport } from '../export/write-export.js';
import { JOB_KEPT_HOURS } from '../queues/contracts/contract.js';
import type { WorkerServices } from '../run/services.js';
import type { KeyLines } from './key-lines.js';
import type { TableReading } from './read-table.js';
import { type Base, type ContentBatch, contentOf, storedRows } from './table-content.js';
import { TableDigest, type TableShape } from './table-digest.js';

/** What a new revision would be. */
export interface Comparison {
  counts: { added: number; changed: number; unchanged: number; removed: number };
  rowCount: number;
  /** Over the rules, the columns and the digests of all rows, in order. */
  digest: Buffer;
  /** The key of the file of changes; undefined if there is nothing to compare with. */
  resultKey?: string | undefined;
}

const CHANGES = new CsvTable(['outcome', 'key', 'column', 'before', 'after']);
const NO_BYTES = Buffer.alloc(0);

/** Compares an upload with the active revision, and writes the changes to the file of the job. */
export async function compareTable(
  job: Job,
  upload: { reading: TableReading; keys: KeyLines; shape: TableShape },
  base: Base | null,
  services: WorkerServices,
): Promise<Comparison> {
  const { shape } = upload;
  const counts = { added: 0, changed: 0, unchanged: 0, removed: 0 };
  const digest = new TableDigest((base?.merged ? base.table.rowCount : 0) + upload.keys.count);
  let rowCount = 0;
  const content = contentOf(upload.reading, base);
  const compared = async function* () {
    for await (const batch of content) {
      rowCount += batch.rows.length;
      for (const row of batch.rows) digest.add(row);
      if (base)
        yield { ...CHANGES.page(changesOf(batch, shape, base.table, counts)), rows: batch.rows.length };
      else counts.added += batch.rows.length;
    }
    if (!base || base.merged) return;
    for await (const page of storedRows(base)) {
      const gone = page
        .filter(({ keyHash }) => !upload.keys.has(keyHash))
        .map(({ cells }) => toRow(base.table, cells));
      counts.removed += gone.length;
      const rows = gone.map(({ key, columns }): Cell[] => [
        'removed',
        key,
        null,
        JSON.stringify(columns),
        null,
      ]);
      yield rows.length > 0 ? CHANGES.page(rows) : { bytes: NO_BYTES, rows: 0 };
    }
  };
  let resultKey: string | undefined;
  if (base) {
    const file = {
      header: CHANGES.header,
      pages: compared,
      count: async () => base.table.rowCount,
      keptHours: JOB_KEPT_HOURS,
    };
    ({ resultKey } = await writeExport(job, file, services));
  } else for await (const _ of compared());
  return { counts, rowCount, digest: digest.of(shape, rowCount), resultKey };
}

/** Returns the changes of a batch as rows of the file: one for each cell that differs, and one for each new row. */
function changesOf(
  { rows, before }: ContentBatch,
  shape: TableShape,
  base: LookupTable,
  counts: Comparison['counts'],
): Cell[][] {
  if (!before) {
    counts.unchanged += rows.length;
    return [];
  }
  const hasSameColumns = JSON.stringify(shape.columns) === JSON.stringify(base.columns);
  return rows.flatMap(({ keyHash, cells }): Cell[][] => {
    const old = before.get(keyHash.toString('hex'))?.cells;
    if (old === cells && hasSameColumns) {
      counts.unchanged += 1;
      return [];
    }
    const { key, columns } = toRow(shape, cells);
    if (old === undefined) {
      counts.added += 1;
      return [['added', key, null, null, JSON.stringify(columns)]];
    }
    const was = toRow(base, old).columns;
    const names = [...new Set([...base.columns, ...shape.columns])];
    const changed = names.filter((name) => (was[name] ?? '') !== (columns[name] ?? ''));
    counts[changed.length > 0 ? 'changed' : 'unchanged'] += 1;
    return changed.map((name) => ['changed', key, name, was[name] ?? '', columns[name] ?? '']);
  });
}
