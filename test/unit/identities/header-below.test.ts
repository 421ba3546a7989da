import { expect, test } from '@jest/globals';
import { fileErrorOf, read } from './reading.js';

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
  ['a title that is the name of a column', `Identity\n${GOOD}`, 2, 'line 1'],
  ['a title below a sep= line', `sep=;\nReport;\n${GOOD.replaceAll(',', ';')}`, 3, 'line 2'],
])('above the header: %s', async (_, file, line, lines) => {
  const error = await fileErrorOf(file);
  expect(error.message).toBe(`line ${line} looks like the header; delete ${lines}`);
  expect(error.errors).toMatchObject([{ line }]);
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
