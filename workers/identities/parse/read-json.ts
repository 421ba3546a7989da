import type { Bytes } from '../decode/source.js';
import { IdentityJsonReader } from '../record/identity-json.js';
import { RowNotes } from '../record/row-notes.js';
import type { CsvBatch, CsvReading, FileWarning } from './read-csv.js';

/**
 * Reads the records of a JSON upload. The API has checked them with the same reader before it stored them. They are
 * checked again because a stored upload may be older than the rules. The `line` of a record is its index in the array, from 0.
 */
export function readJsonRecords(source: Bytes, action: 'assert' | 'remove', keepsLost: boolean): CsvReading {
  const warnings: FileWarning[] = [];
  const reader = new IdentityJsonReader(action, keepsLost);
  return { warnings, [Symbol.asyncIterator]: () => readBatch(source, reader, warnings) };
}

/** Yields all records at once: there are at most 10,000, and only what the table needs is kept of each. */
async function* readBatch(
  source: Bytes,
  reader: IdentityJsonReader,
  warnings: FileWarning[],
): AsyncGenerator<CsvBatch> {
  const batch: CsvBatch = { records: [], lines: [], rejected: [], next: null, bytesRead: 0 };
  const notes = new RowNotes('index');
  const otherNames = new Set<string>();
  for await (const chunk of source) {
    batch.bytesRead += chunk.length;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    for (const { index, record, errors, cells, otherNames: others } of reader.push(bytes)) {
      for (const name of others) if (otherNames.size < MAX_NAMES_SHOWN) otherNames.add(name);
      if (record) {
        batch.records.push(record);
        batch.lines.push(index);
        notes.addRecord(index, record);
      } else batch.rejected.push({ line: index, cells, original: JSON.stringify(cells), errors });
    }
  }
  reader.finish();
  warnings.push(...extraFields(otherNames), ...notes.warnings());
  yield batch;
}

const MAX_NAMES_SHOWN = 20;

function extraFields(names: Set<string>): FileWarning[] {
  if (names.size === 0) return [];
  const shown = [...names].map((name) => JSON.stringify(name.slice(0, 100)));
  return [{ code: 'extra_fields', message: `ignored fields: ${shown.join(', ')}` }];
}
