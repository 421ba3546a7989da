import {
  checkEmail,
  checkIdentity,
  checkIntegrationId,
  type RecordFault,
} from '../queues/identity-record.js';
import type { CsvBatch, RefusedRow, RowError, Warning } from './read-csv.js';
import type { Bytes } from './source.js';

/** As a CSV reading; a record's `line` is its index in the array, from 0. */
export interface JsonReading extends AsyncIterable<CsvBatch> {
  readonly warnings: Warning[];
}

/**
 * Reads the records of a JSON upload. The API has checked them before it stored them, and limited the body to 8 MiB,
 * so it is held whole; it is checked again because what lies in storage may be older than the rules.
 */
export function readJson(source: Bytes, action: 'assert' | 'remove'): JsonReading {
  const warnings: Warning[] = [];
  return { warnings, [Symbol.asyncIterator]: () => readBatch(source, action, warnings) };
}

async function* readBatch(
  source: Bytes,
  action: 'assert' | 'remove',
  warnings: Warning[],
): AsyncGenerator<CsvBatch> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  // As the API decodes it: a byte order mark is no part of JSON.
  const values = JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>[];
  const batch: CsvBatch = { records: [], lines: [], refused: [], next: null, bytesRead: body.length };
  for (const [index, value] of values.entries()) take(batch, index, value, action);
  warnings.push(...extraNames(values));
  yield batch;
}

function take(
  batch: CsvBatch,
  index: number,
  value: Record<string, unknown>,
  action: 'assert' | 'remove',
): void {
  // A removal names no owner.
  const email = action === 'remove' ? '' : checkEmail(value.email);
  const integrationId = checkIntegrationId(value.integrationId);
  const identity = checkIdentity(value.identity);
  if (typeof email === 'string' && typeof integrationId === 'number' && typeof identity === 'string') {
    batch.records.push({ email, integrationId, identity });
    batch.lines.push(index);
  } else {
    batch.refused.push(refuse(index, value, { email, integrationId, identity }));
  }
}

type Checked = Record<RowError['field'] & string, string | number | RecordFault>;

function refuse(index: number, value: Record<string, unknown>, checked: Checked): RefusedRow {
  const errors = Object.entries(checked).flatMap(([field, result]) =>
    typeof result === 'object' ? [{ field: field as RowError['field'], ...result }] : [],
  );
  const cells = [value.email, value.integrationId, value.identity].map((cell) => String(cell ?? ''));
  return { line: index, cells, errors };
}

function extraNames(values: Record<string, unknown>[]): Warning[] {
  const extra = new Set(values.flatMap((value) => Object.keys(value)));
  for (const name of ['email', 'integrationId', 'identity']) extra.delete(name);
  if (extra.size === 0) return [];
  const shown = [...extra].slice(0, 20).map((name) => JSON.stringify(name.slice(0, 100)));
  return [{ code: 'extra_fields', message: `fields that are not read: ${shown.join(', ')}` }];
}
