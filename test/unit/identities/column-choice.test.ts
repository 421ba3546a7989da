import { describe, expect, test } from '@jest/globals';
import { columnsOption } from '../../../api/routes/identities/columns-option.js';
import { fileErrorOf, read } from './reading.js';

const ROW = { email: 'a@b.c', integrationId: 7, identity: 'x' };

describe('the option columns', () => {
  const option = columnsOption(['email', 'integrationId', 'identity']);

  test.each([
    ['email:Mail Address,identity:Login', { email: 'Mail Address', identity: 'Login' }],
    ['identity: Login ', { identity: 'Login' }],
    ['identity:"Login, unique"', { identity: 'Login, unique' }],
    ['email:"say ""mail"""', { email: 'say "mail"' }],
    ['email:user:mail,integrationId:a:b', { email: 'user:mail', integrationId: 'a:b' }],
    ['email:E-mail,', { email: 'E-mail' }],
    ['identity:C  ,email: E-mail ', { identity: 'C  ', email: 'E-mail' }],
  ])('names columns: %s', (text, names) => expect(option.parse(text)).toEqual(names));

  test.each([
    ['', ['must not be empty']],
    ['email', ['must be field:name pairs such as email:Mail Address. This is not one: "email"']],
    ['email:', ['names no column for email']],
    ['email:"a', ['must be field:name pairs such as email:Mail Address. This is not one: "email:\\"a"']],
    ['email:a,email:b', ['names more than one column for email']],
    [
      'mail:a,identity:,integrationId:b',
      ['unknown field "mail": use email, integrationId or identity', 'names no column for identity'],
    ],
    [`email:${'x'.repeat(256)}`, ['the name for email must have at most 255 characters']],
  ])('is rejected with all errors: %s', (text, messages) => {
    const { error } = option.safeParse(text);
    expect(error?.issues.map(({ message }) => message)).toEqual(messages);
  });
});

describe('chosen columns', () => {
  const file = 'Mail Address;Login;System\na@b.c;x;7\n';
  const columns = { email: 'mail_address', integrationId: 'System', identity: 'login' };

  test('are found by name, and count for the delimiter', async () => {
    expect((await read(file, { choice: { columns } })).records).toEqual([ROW]);
  });

  test('replace known names, which are ignored then', async () => {
    const other = 'email,Owner,integrationId,identity\nno@b.c,a@b.c,7,x\n';
    const { records, warnings } = await read(other, { choice: { columns: { email: 'Owner' } } });
    expect(records).toEqual([ROW]);
    expect(warnings).toEqual([{ code: 'extra_columns', message: 'ignored columns: "email"' }]);
  });

  test('may have the known name of another field', async () => {
    const swapped = 'username,identity,integrationId\na@b.c,x,7\n';
    expect((await read(swapped, { choice: { columns: { email: 'username' } } })).records).toEqual([ROW]);
  });

  test('are told apart by their exact spelling', async () => {
    const similar = 'email,integrationId,user name,UserName\na@b.c,7,no,x\n';
    expect((await read(similar, { choice: { columns: { identity: 'UserName' } } })).records).toEqual([ROW]);
    const error = await fileErrorOf(similar, { choice: { columns: { identity: 'username' } } });
    expect(error).toMatchObject({
      code: 'column_repeated',
      errors: [{ message: 'more than one column for identity: "user name" and "UserName"' }],
    });
  });

  test('must exist, and one column has one field', async () => {
    const choice = { columns: { email: 'Mail', integrationId: 'System', identity: 'system' } };
    const error = await fileErrorOf(file, { choice });
    expect(error.errors).toEqual([
      { line: 1, field: 'email', code: 'column_missing', message: 'no column "Mail" for email' },
      {
        line: 1,
        field: 'identity',
        code: 'column_repeated',
        message: 'the column "System" is named for integrationId and for identity',
      },
    ]);
  });

  test('keep the escaped cells of a rejected file readable', async () => {
    const escaped = "emailEscaped,integrationId,identityEscaped\na@b.c,7,'=x\n";
    const { records } = await read(escaped, { choice: { columns: { identity: 'identityescaped' } } });
    expect(records).toEqual([{ ...ROW, identity: '=x' }]);
  });
});

test('the error of an unknown header lists each column and the field that it may contain', async () => {
  const error = await fileErrorOf('Work mail,Nick,Connection,Team\na@b.c,x,7,core\n');
  expect(error).toMatchObject({
    code: 'header_missing',
    message:
      'line 1 must name the columns email, integrationId and identity, but contains "Work mail" (email?), ' +
      '"Nick" (identity?), "Connection" (integrationId?), "Team". Rename the columns, or choose them with `columns`, ' +
      'such as `email:Mail Address,identity:Login`',
    candidates: [
      { column: 'Work mail', field: 'email' },
      { column: 'Nick', field: 'identity' },
      { column: 'Connection', field: 'integrationId' },
      { column: 'Team', field: null },
    ],
  });
  const one = await fileErrorOf('email,Nick,integrationId\na@b.c,x,7\n');
  expect(one).toMatchObject({
    code: 'column_missing',
    message: expect.stringContaining(
      'no column for identity. The line contains "email", "Nick" (identity?),',
    ),
    candidates: [{ field: 'email' }, { field: 'identity' }, { field: 'integrationId' }],
  });
});

describe('one account system for all rows', () => {
  test('replaces the column', async () => {
    const { records } = await read('email,identity\na@b.c,x\n', { choice: { integrationId: 7 } });
    expect(records).toEqual([ROW]);
  });

  test('must not contradict a column, even if all its cells are equal', async () => {
    const error = await fileErrorOf('email,Integration,identity\na@b.c,7,x\n', {
      choice: { integrationId: 7 },
    });
    expect(error).toMatchObject({
      code: 'column_conflict',
      errors: [
        {
          field: 'integrationId',
          message:
            'the file has the column "Integration" for integrationId, and the upload sets it to 7 for all rows',
        },
      ],
    });
  });

  test('is in the cells of a rejected row', async () => {
    const { rejected } = await read('email,identity\nnobody,x\n', { choice: { integrationId: 7 } });
    expect(rejected[0]).toMatchObject({ cells: ['nobody', '7', 'x'], errors: [{ field: 'email' }] });
  });
});

describe('a removal', () => {
  const choice = { action: 'remove' as const };

  test('needs no email, and ignores one', async () => {
    expect((await read('identity,integrationId\nx,7\n', { choice })).records).toEqual([
      { ...ROW, email: '' },
    ]);
    const { records, warnings } = await read('email,identity,integrationId\nnobody,x,7\n', { choice });
    expect(records).toEqual([{ ...ROW, email: '' }]);
    expect(warnings).toEqual([{ code: 'extra_columns', message: 'ignored columns: "email"' }]);
  });

  test('needs its other columns', async () => {
    const error = await fileErrorOf('a,b\nx,7\n', { choice });
    expect(error.message).toContain(
      'line 1 must name the columns integrationId and identity, but contains "a", "b"',
    );
    expect(error.errors.map(({ field }) => field)).toEqual(['integrationId', 'identity']);
  });
});

describe('the expected number of rows', () => {
  const file = 'email,integrationId,identity\na@b.c,7,x\n\n,,\nnobody,7,y\n';

  test('counts valid and rejected rows, but no empty ones', async () => {
    expect((await read(file, { expectedRows: 2 })).rejected).toHaveLength(1);
  });

  test.each([
    [1, 'the file has 2 rows, but expectedRows is 1'],
    [1_000, 'the file has 2 rows, but expectedRows is 1,000. It may be incomplete'],
  ])('rejects a file with another number: %d', async (expectedRows, message) => {
    expect(await fileErrorOf(file, { expectedRows })).toMatchObject({ code: 'row_count_mismatch', message });
  });
});
