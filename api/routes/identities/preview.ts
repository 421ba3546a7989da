import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import {
  type CsvPreview,
  PREVIEW_MAX_BYTES,
  previewCsv,
  WORKBOOK_PREVIEW_BYTES,
} from '../../../workers/identities/preview/preview-csv.js';
import { isZip } from '../../../workers/text/file-formats.js';
import { FILE_TYPES, isWorkbook, openFile, WORKBOOK_TYPE } from '../../body/open-file.js';
import { failures } from '../../endpoint/error-responses.js';
import { flag } from '../../endpoint/parameters.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../endpoint/route.js';
import { unsupportedMedia } from '../../http/errors.js';
import { oneAtATime } from '../../preview/one-at-a-time.js';
import { workbookOf } from './import-upload.js';
import { mirroredIds } from './mirror-options.js';
import { uploadPreviewSchema } from './preview-schema.js';
import { assertQuery, checkAccountSystem } from './upload-options.js';

const { charset, columns, damaged, integrationId, sheet } = assertQuery.shape;

const query = z
  .strictObject({
    action: z.enum(['assert', 'remove']).default('assert').meta({
      description: 'Whether the file adds accounts and changes owners, or removes accounts',
    }),
    charset,
    sheet,
    columns,
    damaged,
    integrationId,
    integrationIds: mirroredIds.meta({ description: 'The account systems that the upload mirrors' }),
    complete: flag.default(false).meta({
      description: 'Whether the body is the complete file. Otherwise the row at its end is left out',
      override: { type: 'boolean', default: false },
    }),
  })
  .superRefine(checkAccountSystem)
  .superRefine(({ action, columns: names }, context) => {
    if (action === 'assert' || names?.email === undefined) return;
    const message = 'cannot name a column for email with action=remove';
    context.addIssue({ code: 'custom', path: ['columns'], message, params: { code: 'conflicting' } });
  });

export const previewUpload = defineRoute({
  method: 'post',
  path: '/v2/developers/identities/preview',
  operationId: 'previewUpload',
  changesNothing: true,
  tag: 'Identity',
  summary: 'Show how an upload would read the start of a CSV file. Stores nothing',
  description:
    'Send at most the first 128 KiB of the file, plain or gzip, or a complete Excel workbook (.xlsx) of at most 8 MiB. Returns what was detected, the columns with samples, the first ' +
    'rows as an upload would read them, and why rows or the file would be rejected.',
  scopes: ['developer_records:write'],
  query,
  params: NO_PARAMS,
  requestBody: {
    'text/csv': z.string().meta({ override: { type: 'string' } }),
    'application/gzip': z.string().meta({ override: { type: 'string', format: 'binary' } }),
    [WORKBOOK_TYPE]: z.string().meta({ override: { type: 'string', format: 'binary' } }),
  },
  responses: {
    200: { description: 'The preview', body: z.object({ ...success, data: uploadPreviewSchema }) },
    ...failures(400, 408, 413, 415, 503),
  },
  handle: async (input) => {
    const { ctx, query: options } = input;
    const takesAll = isWorkbook(ctx);
    if (!takesAll && !FILE_TYPES.includes(ctx.request.type.toLowerCase()))
      throw unsupportedMedia(
        `Send the start of the file as text/csv or application/gzip, or a workbook as ${WORKBOOK_TYPE}.`,
        [...FILE_TYPES, WORKBOOK_TYPE],
      );
    const limit = takesAll ? WORKBOOK_PREVIEW_BYTES : PREVIEW_MAX_BYTES;
    const { content, charset } = await openFile(ctx, limit, options.charset);
    const bytes = await buffer(content);
    workbookOf({ isZip: isZip(bytes) }, options.sheet);
    const preview = await oneAtATime(input, () =>
      previewCsv(bytes, {
        charset,
        choice: {
          action: options.action,
          columns: options.columns,
          integrationId: options.integrationId,
          onlyIntegrationId: input.principal.uploadLink?.integrationId,
        },
        integrationIds: options.integrationIds && new Set(options.integrationIds),
        keepsLost: options.damaged === 'keep',
        sheet: options.sheet,
        isComplete: takesAll || options.complete,
      }),
    );
    ctx.body = { status: 'success', data: present(preview) };
  },
});

function present({ isGzip, error, ...preview }: CsvPreview): z.infer<typeof uploadPreviewSchema> {
  return {
    compression: isGzip ? 'gzip' : null,
    ...preview,
    rows: preview.rows.map((row) => ({ ...row, errors: [...row.errors] })),
    error: error && { code: error.code, message: error.message, errors: [...error.errors] },
  };
}
