import { expect, test } from '@jest/globals';
import { previewCsv } from '../../../workers/identities/preview/preview-csv.js';
import { fileErrorOf, outcomeOf, read } from './reading.js';

const GOOD = 'email,integrationId,identity\nc@example.com,7,c\n';

test.each([
  ['an empty row and an empty first column', ',,,\n,email,integrationId,identity\n,c@d.e,7,c\n', 2, 'line 1'],
  ['a title', `Table 1\n${GOOD}`, 2, 'line 1'],
  ['a title and an empty row', `User report,,\r\n,,\r\n${GOOD}`, 3, 'lines 1 and 2'],
  ['several lines', `Report\n"of, today"\n\nby me\n${GOOD}`, 5, 'lines 1 to 4'],
  ['a title of two lines', `"Report\nof today"\n${GOOD}`, 3, 'lines 1 and 2'],
  ['150 lines', `${'line\n'.repeat(150)}${GOOD}`, 151, 'lines 1 to 150'],
  ['a title with a quote', `Report of "today"\n${GOOD}`, 2, 'line 1'],
  [
    'a version',
    'version:v1.0,,\nUser name [userPrincipalName] Required,integrationId,identity\nc@d.e,7,c\n',
    2,
    'line 1',
  ],
  ['a title with one quote', `Report for 5" screens\n\n${GOOD}`, 3, 'lines 1 and 2'],
  [
    'a title with one quote, and a quoted row',
    `Report for 5" screens\r\n${GOOD}"c@example.com",7,d\n`,
    2,
    'line 1',
  ],
  [
    'a title with one quote, and a quoted header',
    `\nReport for 5" screens\nof today\n"email","integrationId","identity"\n"a@b.c",7,"x"\n`,
    4,
    'lines 2 and 3',
  ],
  [
    'a title with one quote, and an odd number of them below',
    `5" screens\n${GOOD}a@b.c,7,5" a\na@b.c,7,6"\n`,
    2,
    'line 1',
  ],
  [
    'a version and names that are not known',
    'version:v1.0\nName [displayName] Required,User name [userPrincipalName] Required\n',
    2,
    'line 1',
  ],
  ['a title that is the name of a column', `Identity\n${GOOD}`, 2, 'line 1'],
  ['a title below a sep= line', `sep=;\nReport;\n${GOOD.replaceAll(',', ';')}`, 3, 'line 2'],
])('above the header: %s', async (_, file, line, lines) => {
  const error = await fileErrorOf(file);
  expect(error.message).toBe(`line ${line} looks like the header; delete ${lines}`);
  expect(error.errors).toMatchObject([{ line }]);
});

test.each([
  ['version:v1.0\n\nidentity\nada\n', 3, 'lines 1 and 2'],
  ['User report\nLogin\nada\n', 2, 'line 1'],
])('above the only column of a removal: %j', async (file, line, lines) => {
  const choice = { action: 'remove', integrationId: 7 } as const;
  expect((await fileErrorOf(file, { choice })).message).toBe(
    `line ${line} looks like the header; delete ${lines}`,
  );
});

test.each([
  [GOOD, {}],
  [`${GOOD}`.replaceAll('\n', ',x\n').replace('x', 'team'), {}],
  ['identity\nada\nbob\n', { action: 'remove', integrationId: 7 } as const],
])('a file whose line breaks curl has removed has an error that says so: %j', async (file, choice) => {
  const line = file.replaceAll('\n', '');
  const hint =
    /The file is a single line: if curl sent it, use --data-binary instead of -d, which removes line breaks$/;
  expect((await fileErrorOf(line, { choice })).message).toMatch(hint);
  expect((await previewCsv(Buffer.from(line), { choice, isComplete: true })).error?.message).toMatch(hint);
  expect(await outcomeOf(file, { choice })).toMatchObject({ rejected: [] });
});

test.each([
  ['C  ', 'C,C++', 'no column "C" for identity. If "C++" is meant, write + as %2B in the query'],
  ['C', 'C+,team', 'no column "C" for identity. If "C+" is meant, write + as %2B in the query'],
  ['a b', 'a+b,team', 'no column "a b" for identity. If "a+b" is meant, write + as %2B in the query'],
  ['C', 'C,C++', null],
])('the name %j of a column, as it arrives with + for a space', async (identity, names, message) => {
  const file = `email,integrationId,${names}\na@b.c,7,ada,bob\n`;
  const outcome = await outcomeOf(file, { choice: { columns: { identity } } });
  expect(outcome).toMatchObject(
    message ? { fileError: { errors: [{ message }] } } : { records: [{ identity: 'ada' }] },
  );
});

test('the candidates are those of the header', async () => {
  const { candidates } = await fileErrorOf(
    'version:v1.0,,\nUser name [userPrincipalName] Required,integrationId,identity\n',
  );
  expect(candidates?.[0]).toEqual({ column: 'User name [userPrincipalName] Required', field: 'email' });
});

test('a file without a header has the error of its first line', async () => {
  expect((await fileErrorOf('a@b.c,7,ada\na@b.c,7,bob\n')).message).toMatch(/^line 1 must name the columns/);
});

test('an invisible character in the name of a column is ignored with a warning that names it', async () => {
  const { records, warnings } = await read('email\u200b,integration\u00a0id,identity\na@b.c,7,ada\n');
  expect(records).toHaveLength(1);
  expect(warnings).toMatchObject([
    { code: 'invisible_in_header', message: expect.stringContaining('"email<U+200B>"') },
  ]);
});

test('an invisible character in a name that is not known is named', async () => {
  const { message } = await fileErrorOf('e\u200bmial,integrationId,identity\na@b.c,7,ada\n');
  expect(message).toContain('"e<U+200B>mial"');
});
