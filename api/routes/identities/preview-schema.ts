import { z } from 'zod';

const count = z.number().int();
const field = z.enum(['email', 'integrationId', 'identity']).nullable();
const rowError = z.object({ field: z.string().nullable(), code: z.string(), message: z.string() });
const lineError = rowError.extend({ line: count.nullable() });

const columnSchema = z.object({
  name: z.string().meta({ description: 'As in the file; a longer name is cut after 255 characters' }),
  field: field.meta({
    description:
      'The field that is read from the column. `null` for all columns if the header is not understood',
  }),
  candidate: field.meta({ description: 'The field that the column contains or may contain, by its name' }),
  samples: z.array(z.string()).meta({ description: 'Up to three different values' }),
});

const rowSchema = z.object({
  line: count,
  email: z
    .string()
    .meta({ description: 'Normalized as it would be stored; of a rejected row as in the file' }),
  integrationId: z.string(),
  identity: z.string(),
  errors: z.array(rowError).meta({ description: 'Why the row would be rejected; empty if it is valid' }),
});

export const uploadPreviewSchema = z
  .object({
    compression: z.enum(['gzip']).nullable(),
    sheets: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The visible sheets of an Excel workbook; `null` for other files' }),
    sheet: z.string().nullable().meta({ description: 'The sheet that was read' }),
    charset: z
      .string()
      .nullable()
      .meta({ description: '`null` for a workbook, and if the file is rejected before it is known' }),
    delimiter: z.string().nullable(),
    columns: z.array(columnSchema).meta({ description: 'The first 100 columns' }),
    columnCount: count,
    warnings: z.array(z.object({ code: z.string(), message: z.string(), count: count.optional() })).meta({
      description:
        'Warnings about the header, as an upload reports them: `header_looks_like_data`, `extra_columns`',
    }),
    rows: z.array(rowSchema).meta({ description: 'The first 20 rows' }),
    checkedRows: count.meta({ description: 'How many rows were checked, at most 2,000' }),
    rejectedRows: count.meta({ description: 'How many of these rows would be rejected' }),
    rowErrors: z.array(lineError).meta({ description: 'The first 100 errors of these rows' }),
    rowErrorCount: count,
    integrationIds: z
      .array(count)
      .meta({ description: 'The account systems that these rows name, at most 100' }),
    error: z
      .object({ code: z.string(), message: z.string(), errors: z.array(lineError) })
      .nullable()
      .meta({ description: 'Why an upload would reject the file as a whole, as far as the body shows it' }),
  })
  .meta({ id: 'UploadPreview' });
