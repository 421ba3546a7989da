import type { Header } from '../header/header.js';
import { cut } from '../header/quote-name.js';
import { withCellErrors } from '../parse/cell-errors.js';
import { allowedIn, checkRow, NOT_MIRRORED } from '../parse/check-row.js';
import { BatchCollector } from '../parse/collect-rows.js';
import type { CsvOptions } from '../parse/read-csv.js';
import type { LineError, RowError, ValueError } from '../record/errors.js';
import { parseIntegrationId } from '../record/integration-id.js';
import { RowNotes } from '../record/row-notes.js';
import type { RejectedRow } from '../rejected/rejected-row.js';
import type { Workbook } from '../workbook/workbook.js';

/** Rows that a preview shows. */
const MAX_ROWS = 20;
/** Rows that a preview checks. 128 KiB can contain 60,000 invalid ones, which would delay other requests. */
const MAX_CHECKED = 2_000;
/** Errors that a preview lists, of all rows that it checks. */
const MAX_ERRORS = 100;
const MAX_ACCOUNT_SYSTEMS = 100;
/** Characters of a rejected value that a preview shows. A valid one has at most 255. */
const MAX_VALUE = 255;

interface PreviewedRow {
  /** Its physical line, from 1. */
  line: number;
  /** As an upload would store them; of a rejected row as they are in the file. */
  email: string;
  integrationId: string;
  identity: string;
  /** Why the row would be rejected; empty if it is valid. */
  errors: readonly RowError[];
}

export interface RowsPreview {
  /** The first rows. */
  rows: PreviewedRow[];
  /** The rows that were checked, at most 2,000, and how many of them are invalid. */
  checkedRows: number;
  rejectedRows: number;
  /** The first errors of these rows, and the number of all. */
  rowErrors: LineError[];
  rowErrorCount: number;
  /** The account systems that the rows name, at most 100. */
  integrationIds: number[];
}

/** Checks the rows of a file's start. */
export class PreviewedRows {
  readonly #collector: BatchCollector | null;
  readonly #notes = new RowNotes('line');
  /** Records that were read without a header. */
  #unread = 0;

  /**
   * @param header null if it is not understood. Then rows are counted only
   */
  constructor(
    header: Header | null,
    rules: Pick<CsvOptions, 'choice' | 'integrationIds' | 'keepsLost'> = {},
    workbook: Workbook | null = null,
  ) {
    const { keepsLost = false } = rules;
    const { allowed, outside } = allowedIn(rules);
    const all = Number.POSITIVE_INFINITY;
    this.#collector =
      header &&
      new BatchCollector(header, {
        maxRows: all,
        batchRows: all,
        check: withCellErrors(workbook, header, (cells, line) =>
          checkRow(cells, line, header, { allowed, outside, keepsLost, notes: this.#notes }),
        ),
        before: undefined,
        next: () => null,
        record: () => NO_BYTES,
      });
  }

  /** Adds a row as `BatchCollector` does. */
  take(cells: string[], line: number, error: ValueError | null): void {
    if (this.#collector) this.#collector.take(cells, line, error);
    else this.#unread += 1;
  }

  /** Returns warnings about the rows that were checked. */
  warnings(): ReturnType<RowNotes['warnings']> {
    return this.#notes.warnings();
  }

  get isFull(): boolean {
    return this.count >= MAX_CHECKED;
  }

  /** Rows so far, valid and rejected. */
  get count(): number {
    return this.#collector?.counts.rows ?? this.#unread;
  }

  result(): RowsPreview {
    const batches = this.#collector?.rest() ?? [];
    const rejected = batches.flatMap((batch) => batch.rejected);
    const valid = batches.flatMap(({ records, lines }) =>
      records.map((record, index) => ({ record, line: lines[index] ?? 0 })),
    );
    const rows = [
      ...valid.slice(0, MAX_ROWS).map(({ line, record: { email, integrationId, identity } }) => {
        return { line, email, integrationId: String(integrationId), identity, errors: [] };
      }),
      ...rejected.slice(0, MAX_ROWS).map(showRejected),
    ].sort((one, other) => one.line - other.line);
    const rowErrors = rejected.flatMap(({ line, errors }) => errors.map((error) => ({ line, ...error })));
    const named = [...valid.map(({ record }) => record.integrationId), ...rejected.flatMap(notMirrored)];
    return {
      rows: rows.slice(0, MAX_ROWS),
      checkedRows: valid.length + rejected.length,
      rejectedRows: rejected.length,
      rowErrors: rowErrors.slice(0, MAX_ERRORS),
      rowErrorCount: rowErrors.length,
      integrationIds: [...new Set(named)].sort((one, other) => one - other).slice(0, MAX_ACCOUNT_SYSTEMS),
    };
  }
}

const NO_BYTES = Buffer.alloc(0);

function showRejected({ line, cells, errors }: RejectedRow): PreviewedRow {
  const [email = '', integrationId = '', identity = ''] = cells.map((cell) => cut(cell, MAX_VALUE));
  return { line, email, integrationId, identity, errors };
}

/** Returns the account system of a row that is rejected because the upload does not mirror it. */
function notMirrored({ cells, errors }: RejectedRow): number[] {
  if (!errors.some(({ code }) => code === NOT_MIRRORED)) return [];
  const integrationId = parseIntegrationId(cells[1] ?? '');
  return typeof integrationId === 'number' ? [integrationId] : [];
}
