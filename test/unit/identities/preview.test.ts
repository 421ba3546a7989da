import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PREVIEW_MAX_BYTES, previewCsv } from '../../../workers/identities/preview/preview-csv.js';
import { HEADER, outcomeOf } from './reading.js';

type Options = Partial<Parameters<typeof previewCsv>[1]>;

const preview = (file: string | Buffer, options: Options = {}) =>
  previewCsv(Buffer.from(file as string), { choice: {}, isComplete: true, ...options });

const part = fc.constantFrom(
  '"',
  ',',
  '\n',
  '\r\n',
  'a@b.c,1,x\n',
  'no,1,x\n',
  '"a@b.c",2,"é"\n',
  '\0',
  ',,\n',
);

test('a complete file has the rows, lines and errors of an upload', async () => {
  const texts = fc.array(part, { maxLength: 14 }).map((parts) => HEADER + parts.join(''));
  await fc.assert(
    fc.asyncProperty(texts, fc.boolean(), async (text, isGzip) => {
      const found = await preview(isGzip ? gzipSync(text) : text);
      const outcome = await outcomeOf(text);
      if ('fileError' in outcome) {
        expect(found.error).toMatchObject(outcome.fileError);
        return;
      }
      const { records, lines, rejected } = outcome;
      expect(found.error).toBeNull();
      expect([found.checkedRows, found.rejectedRows]).toEqual([
        records.length + rejected.length,
        rejected.length,
      ]);
      expect(found.rows.filter(({ errors }) => errors.length === 0)).toEqual(
        records.map((record, index) => ({
          ...record,
          line: lines[index],
          integrationId: String(record.integrationId),
          errors: [],
        })),
      );
      expect(found.rows.filter(({ errors }) => errors.length > 0)).toEqual(
        rejected.map(({ line, cells: [email, integrationId, identity], errors }) => {
          return { line, email, integrationId, identity, errors };
        }),
      );
    }),
    { numRuns: 200 },
  );
});

describe('the start of a file', () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `dev${i}@example.com,${1 + (i % 3)},octo-${i}\n`);
  const file = Buffer.from(`${HEADER}${rows.join('')}`);

  test.each([
    ['plain', file],
    ['gzip', gzipSync(file)],
  ])('shows the first rows of a %s file, and checks the first 2,000', async (_, bytes) => {
    const found = await preview(bytes.subarray(0, PREVIEW_MAX_BYTES), { isComplete: false });
    expect(found).toMatchObject({ error: null, rejectedRows: 0, integrationIds: [1, 2, 3] });
    expect(found.rows).toHaveLength(20);
    expect(found.rows.at(-1)).toEqual({
      line: 21,
      email: 'dev19@example.com',
      integrationId: '2',
      identity: 'octo-19',
      errors: [],
    });
    expect(found.checkedRows).toBe(2_000);
  });

  test('leaves out the row at its end, even with half a character or an open quote', async () => {
    for (const end of ['a@b.c,1', 'a@b.c,1,"x', Buffer.from('a@b.c,1,é').subarray(0, -1)]) {
      const bytes = Buffer.concat([Buffer.from(`${HEADER}a@b.c,1,x\n`), Buffer.from(end as string)]);
      expect(await preview(bytes, { isComplete: false })).toMatchObject({ checkedRows: 1, error: null });
    }
  });

  test('is checked up to the 2,000th row', async () => {
    const found = await preview(`${HEADER}${'a@b.c,1,x\n'.repeat(1_999)}nobody,1,x\nnobody,1,x\n`);
    expect(found).toMatchObject({ checkedRows: 2_000, rejectedRows: 1, rowErrors: [{ line: 2_001 }] });
  });

  test('is sampled up to the 2,000th row, even if the header is not understood', async () => {
    const found = await preview(`a,b\n${'x\n'.repeat(1_999)}y\nz\n`);
    expect(found.error?.code).toBe('header_missing');
    expect(found.columns.map(({ samples }) => samples)).toEqual([['x', 'y'], []]);
  });

  test('is not read beyond the limit, however well it is compressed', async () => {
    const packed = gzipSync(Buffer.alloc(4 * 1024 * 1024, file));
    const found = await preview(packed.subarray(0, PREVIEW_MAX_BYTES));
    expect(found.isGzip).toBe(true);
    expect(found.error).toBeNull();
  });
});

describe('the columns', () => {
  const unknown = 'Work mail;Nick;Team\nada@b.c;ada;core\nada@b.c;bob;ops\n';

  test('of an unknown header have candidates and different samples', async () => {
    const found = await preview(unknown);
    expect(found).toMatchObject({ delimiter: ';', charset: 'utf-8', columnCount: 3, rows: [] });
    expect(found.error?.code).toBe('header_missing');
    expect(found.columns).toEqual([
      { name: 'Work mail', field: null, candidate: 'email', samples: ['ada@b.c'] },
      { name: 'Nick', field: null, candidate: 'identity', samples: ['ada', 'bob'] },
      { name: 'Team', field: null, candidate: null, samples: ['core', 'ops'] },
    ]);
  });

  test('can be chosen', async () => {
    const choice = { columns: { email: 'Work mail', identity: 'Nick' }, integrationId: 7 };
    const found = await preview(unknown, { choice });
    expect(found.columns.map(({ field }) => field)).toEqual(['email', 'identity', null]);
    expect(found.rows[0]).toEqual({
      line: 2,
      email: 'ada@b.c',
      integrationId: '7',
      identity: 'ada',
      errors: [],
    });
  });

  test('whose names look like data cause a warning, as in an upload', async () => {
    const file = 'alice@example.com,7,alice,core\nbob@example.com,7,bob,ops\n';
    const choice = { columns: { email: 'alice@example.com', integrationId: '7', identity: 'alice' } };
    const message =
      'the header looks like data: "alice@example.com", "7". It is not imported. If it is a row, add a header before it';
    const warnings = [
      { code: 'header_looks_like_data', message },
      { code: 'extra_columns', message: 'ignored columns: "core"' },
    ];
    expect(await preview(file, { choice })).toMatchObject({ warnings, checkedRows: 1 });
    expect(await outcomeOf(file, { choice })).toMatchObject({ warnings });
  });

  test.each([
    ['known names', '2024,email,integrationId,identity,x@y\n1,a@b.c,1,x,y\n', {}],
    ['chosen names', unknown, { columns: { email: 'Work mail', identity: 'Nick' }, integrationId: 7 }],
  ])('with %s cause no such warning', async (_, file, choice) => {
    const found = await preview(file, { choice });
    expect(found.error).toBeNull();
    expect(found.warnings.map(({ code }) => code)).toEqual(['extra_columns']);
  });

  test('of a removal need no email', async () => {
    const found = await preview(`${HEADER}nobody,1,x\n`, { choice: { action: 'remove' } });
    expect(found).toMatchObject({ rejectedRows: 0, rows: [{ email: '', identity: 'x' }] });
  });
});

test.each([
  ['an open quote', '"x'],
  ['a quote that swallows a row', '"a"b\n"c,d\n'],
  ['a NUL byte after 64 KiB', `${'x'.repeat(70_000)}\0\n`],
])('%s does not replace the error of the header', async (_, body) => {
  const text = `foo,bar\n${body}`;
  const found = await preview(text);
  expect(found.error).toMatchObject({ code: 'header_missing' });
  expect(await outcomeOf(text)).toMatchObject({ fileError: { code: 'header_missing' } });
});

test('rows of account systems that are not mirrored are rejected, but proposed', async () => {
  const file = `${HEADER}a@b.c,7,x\na@b.c,8,x\na@b.c,y,x\n`;
  const found = await preview(file, { integrationIds: new Set([7]) });
  expect(found.integrationIds).toEqual([7, 8]);
  expect(found.rowErrors.map(({ line, code }) => [line, code])).toEqual([
    [3, 'integration_id_not_mirrored'],
    [4, 'integration_id_invalid'],
  ]);
});

test.each([
  ['a workbook', 'PK\u0003\u0004', {}, 'workbook_damaged'],
  ['an unknown charset', HEADER, { charset: 'klingon' }, 'charset_unknown'],
  ['damaged gzip', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2]), {}, 'gzip_truncated'],
  ['no content', '', {}, 'empty_file'],
])('%s is reported as the error of the file', async (_, file, options, code) => {
  expect((await preview(file, options)).error?.code).toBe(code);
});
