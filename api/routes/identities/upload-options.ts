import { z } from 'zod';
import type { ImportParams } from '../../../workers/queues/contracts/identity-import.js';
import { flag, wholeNumberText } from '../../endpoint/parameters.js';
import { QUERY, summary } from '../../http/error-details.js';
import { badRequest } from '../../http/errors.js';
import { callback } from '../../jobs/callback.js';
import { type ColumnNames, columnsOption } from './columns-option.js';
import { integrationIdText } from './filters.js';
import { checkMirror, mirrorOptions } from './mirror-options.js';

/** The options of an upload as query parameters. */
export const options = {
  onError: z.enum(['abort', 'continue']).optional().meta({
    description:
      'CSV only. `abort` (default): one invalid row rejects the file. `continue`: the valid rows are processed',
  }),
  dryRun: flag.default(false).meta({
    description: 'Write nothing; only count what the upload would do',
    override: { type: 'boolean', default: false },
  }),
  charset: z.string().min(1).max(40).optional().meta({
    description:
      'CSV only. The encoding of the file if it is neither UTF-8 nor UTF-16, for example `windows-1252`',
  }),
  damaged: z
    .enum(['reject', 'keep'])
    .optional()
    .meta({
      description:
        '`reject` (default): an identity that a spreadsheet left in place of a value, such as `#N/A`, `########`, `1.23457E+11` or `=A1`, is ' +
        'invalid, and so is a line of a file that repeats the header or sums up rows. `keep`: they are accepted as they are',
    }),
  sheet: z.string().min(1).max(31).optional().meta({
    description: 'Excel workbooks (.xlsx) only. The sheet to read, if the workbook has several',
  }),
  integrationId: integrationIdText.optional().meta({
    description: 'CSV only. The account system of all rows, for a file without such a column',
  }),
  expectedRows: wholeNumberText(1, 999_999_999)
    .optional()
    .meta({
      description:
        'CSV only. The number of rows that the file has, without its header. A file with another number is rejected as a ' +
        'whole, because it may be incomplete',
    }),
  callback,
};

/** The options of an upload that asserts owners. */
export const assertQuery = z
  .strictObject({
    ...options,
    ...mirrorOptions,
    columns: columnsOption(['email', 'integrationId', 'identity']).optional(),
  })
  .superRefine(checkAccountSystem)
  .superRefine(checkMirror);

/** The options of an upload that removes accounts. */
export const removeQuery = z
  .strictObject({ ...options, columns: columnsOption(['integrationId', 'identity']).optional() })
  .superRefine(checkAccountSystem);

interface CheckedOptions {
  columns?: ColumnNames | undefined;
  integrationId?: number | undefined;
}

/** Checks that an account system is not set twice. */
export function checkAccountSystem(
  { columns, integrationId }: CheckedOptions,
  context: z.RefinementCtx,
): void {
  if (integrationId === undefined || columns?.integrationId === undefined) return;
  const message = 'cannot be combined with a column for integrationId in columns';
  context.addIssue({ code: 'custom', path: ['integrationId'], message, params: { code: 'conflicting' } });
}

export type UploadQuery = z.infer<typeof removeQuery> & Partial<z.infer<typeof assertQuery>>;

/** Rejects options that have no effect on JSON: it is complete, always UTF-8, and rejected as a whole if a record is invalid. */
export function rejectCsvOptions(query: UploadQuery): void {
  const errors = CSV_ONLY.filter((name) => query[name] !== undefined).map((field) => ({
    field,
    code: 'not_in_this_format',
    message: 'applies to CSV only',
  }));
  if (errors.length > 0) throw badRequest('invalid_query', summary(QUERY, errors), errors);
}

const CSV_ONLY = [
  'onError',
  'charset',
  'sheet',
  'columns',
  'integrationId',
  'expectedRows',
  'mode',
  'integrationIds',
  'maxRemovals',
] as const;

type CsvOptions = Pick<
  ImportParams,
  | 'version'
  | 'onError'
  | 'dryRun'
  | 'charset'
  | 'damaged'
  | 'columns'
  | 'integrationId'
  | 'expectedRows'
  | 'mirror'
>;

/** @param charset that the query or the headers of the file name */
export function toCsvOptions(query: UploadQuery, charset: string | undefined): CsvOptions {
  const {
    onError = 'abort',
    mode,
    integrationIds = [],
    maxRemovals = 0,
    callback: _,
    sheet: __,
    ...others
  } = query;
  const mirror =
    mode === 'mirror' ? { integrationIds: [...new Set(integrationIds)], maxRemovals } : undefined;
  const added = [others.columns, others.integrationId, others.expectedRows, mirror];
  return {
    version: added.some((option) => option !== undefined) ? 2 : 1,
    onError,
    ...(mirror ? { mirror } : {}),
    ...others,
    ...(charset === undefined ? {} : { charset }),
  };
}
