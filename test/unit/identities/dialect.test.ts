import { describe, expect, test } from '@jest/globals';
import { fileErrorOf, HEADER, read, rowsOf } from './reading.js';

const ROW = { email: 'a@b.c', integrationId: 1, identity: 'x' };

describe('header', () => {
  test.each([
    ['any order', 'identity,email,integrationId\nx,a@b.c,1'],
    ['folded over case, spaces, _ and -', ' E-Mail ,Integration_ID,IDENTITY\na@b.c,1,x'],
    ['mail, integration, cloud id', 'mail,integration,cloud id\na@b.c,1,x'],
    [
      'email address, integration id, cloud identity',
      'Email Address,integration id,Cloud_Identity\na@b.c,1,x',
    ],
    ['developer email, account id', 'developer_email,integrationId,accountId\na@b.c,1,x'],
    ['user name', 'email,integrationId,User-Name\na@b.c,1,x'],
    ['quoted', '"email","integrationId","identity"\na@b.c,1,x'],
    ['semicolon', 'email;integrationId;identity\na@b.c;1;x'],
    ['tab', 'email\tintegrationId\tidentity\na@b.c\t1\tx'],
    ['bar', 'email|integrationId|identity\na@b.c|1|x'],
    ['sep line', 'sep=;\r\nemail;integrationId;identity\r\na@b.c;1;x'],
    ['sep line of another delimiter', 'SEP=^\nemail^integrationId^identity\na@b.c^1^x'],
    ['sep line with a tab', 'sep=\t\nemail\tintegrationId\tidentity\na@b.c\t1\tx'],
    ['quoted sep line', '"sep=|"\nemail|integrationId|identity\na@b.c|1|x'],
    ['blank lines in front', '\n \r\nemail,integrationId,identity\na@b.c,1,x'],
    ['byte order mark', '\ufeffemail,integrationId,identity\na@b.c,1,x'],
  ])('is understood: %s', async (_, file) => expect((await read(file)).records).toEqual([ROW]));

  test('lists ignored columns once', async () => {
    const { records, warnings } = await read(
      'id,email,integrationId,identity,\n7,a@b.c,1,x,\n8,a@b.c,1,x,\n',
    );
    expect(records).toEqual([ROW, ROW]);
    expect(warnings).toEqual([{ code: 'extra_columns', message: 'ignored columns: "id", ""' }]);
  });

  test('limits the number and length of names in the warning', async () => {
    const names = Array.from({ length: 500 }, (_, i) => `${i}${'x'.repeat(40)}${'y'.repeat(40)}`);
    const { warnings } = await read(`${HEADER.trim()},${names.join()}\na@b.c,1,x,${names.join()}\n`);
    expect(warnings[0]?.message.length).toBeLessThan(2_000);
    expect(warnings[0]?.message).toMatch(/and 480 more$/);
  });

  test('alone determines the delimiter, regardless of the rows', async () => {
    expect(await rowsOf('a@b.c,1,x;y|z\na@b.c;1;x\n')).toEqual(['2 a@b.c 1 x;y|z', '3 cell_count']);
  });

  test('finds the fields with one delimiter even if another one is more frequent', async () => {
    const { records } = await read('email,integrationId,identity,"a;b;c;d;e;f;g"\na@b.c,1,x,\n');
    expect(records).toEqual([ROW]);
  });
});

describe('rows', () => {
  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('end with %s', async (_, eol) => {
    expect(await rowsOf(`a@b.c,1,x${eol}d@e.f,2,y${eol}`)).toEqual(['2 a@b.c 1 x', '3 d@e.f 2 y']);
    expect(await rowsOf(`a@b.c,1,x${eol}d@e.f,2,y`)).toEqual(['2 a@b.c 1 x', '3 d@e.f 2 y']);
  });

  test('may have different line ends', async () => {
    expect(await rowsOf('a@b.c,1,x\rd@e.f,2,y\r\ng@h.i,3,z\r\r\n\nj@k.l,4,0')).toEqual([
      '2 a@b.c 1 x',
      '3 d@e.f 2 y',
      '4 g@h.i 3 z',
      '7 j@k.l 4 0',
    ]);
  });

  test('are counted in physical lines, including quoted line breaks and blank lines', async () => {
    const body = '\n"a\nb\r\nc\rd","1","x"\r\n  \na@b.c,1,x\n';
    expect(await rowsOf(body)).toEqual(['3 email_forbidden_character', '8 a@b.c 1 x']);
  });

  test('may contain delimiters, quotes and spaces in quotes', async () => {
    expect(await rowsOf('a@b.c,1,"x,""y"" z"\n"a@b.c","1"," 007 "\n')).toEqual([
      '2 a@b.c 1 x,"y" z',
      '3 a@b.c 1 007',
    ]);
  });

  test('are rejected with too few or too many cells', async () => {
    expect(await rowsOf('a@b.c,1\na@b.c,1,x,y\n""\na@b.c,1,x\n')).toEqual([
      '2 cell_count',
      '3 cell_count',
      '4 cell_count',
      '5 a@b.c 1 x',
    ]);
  });

  test('are rejected with all errors', async () => {
    const { rejected } = await read(`${HEADER}a.b.c,1.0,\u200b\n`);
    expect(rejected).toEqual([
      {
        line: 2,
        cells: ['a.b.c', '1.0', '\u200b'],
        original: 'a.b.c,1.0,\u200b',
        errors: [
          expect.objectContaining({ field: 'email', code: 'email_invalid' }),
          expect.objectContaining({ field: 'integrationId', code: 'integration_id_invalid' }),
          expect.objectContaining({ field: 'identity', code: 'identity_forbidden_character' }),
        ],
      },
    ]);
  });

  test('are rejected with every empty field', async () => {
    const { rejected } = await read('note,email,integrationId,identity\nn,,,\n');
    expect(rejected[0]?.errors).toEqual([
      { field: 'email', code: 'email_missing', message: 'must not be empty' },
      { field: 'integrationId', code: 'integration_id_missing', message: 'must not be empty' },
      { field: 'identity', code: 'identity_missing', message: 'must not be empty' },
    ]);
  });

  test('without any value are skipped, with one warning', async () => {
    const { records, lines, rejected, warnings } = await read(
      `${HEADER},,\n, ,"",\na@b.c,1,x\n"",,\n,,\n,,\n`,
    );
    expect([records, lines, rejected]).toEqual([[ROW], [4], []]);
    expect(warnings).toEqual([
      { code: 'empty_rows', message: '5 rows without any value were skipped', count: 5 },
    ]);
    expect((await read(`${HEADER}a@b.c,1,x\n,,\n`)).warnings[0]?.message).toBe(
      '1 row without any value was skipped',
    );
  });

  test('show their own cells, whatever the order of the columns', async () => {
    const { rejected } = await read('identity;note;email;integration\n A ;n;B;C\nA;n\n');
    expect(rejected.map(({ cells }) => cells)).toEqual([
      ['B', 'C', ' A '],
      ['', '', 'A'],
    ]);
  });
});

describe('stray quotes', () => {
  test.each([
    ['in an unquoted cell', 'a@b.c,1,5" pipe'],
    ['after a space', 'a@b.c,1, "x"'],
    ['text after a closing one', 'a@b.c,1,"5" pipe"'],
    ['a space after a closing one', 'a@b.c,"1" ,x'],
    ['an empty cell with text after it', 'a@b.c,1,""x'],
  ])('make only their own row invalid: %s', async (_, row) => {
    expect(await rowsOf(`a@b.c,1,x\n${row}\nd@e.f,2,y\n`)).toEqual([
      '2 a@b.c 1 x',
      '3 stray_quote',
      '4 d@e.f 2 y',
    ]);
  });

  test('make the row invalid in an ignored column, too', async () => {
    const { rejected } = await read(`note,${HEADER}5" pipe,a@b.c,1,x\n`);
    expect(rejected[0]?.errors[0]).toMatchObject({ field: null, code: 'stray_quote' });
  });

  test('make the file invalid if the row continues over several lines', async () => {
    const error = await fileErrorOf(`${HEADER}a@b.c,1,x\na@b.c,5" pipe,"x\ny"\n`);
    expect(error).toMatchObject({ code: 'stray_quote', errors: [{ line: 3 }] });
  });
});

describe('an unclosed quote', () => {
  test.each([
    ['up to the end', 'a@b.c,1,x\nd@e.f,2,"y\ng@h.i,3,z\n', 3],
    ['up to the next quote', 'a@b.c,1,x\n"d@e.f","2","y\n"g@h.i","3","z"\n', 3],
    ['in a later line of its row', 'a@b.c,1,x\n"d\ne","2","y\n', 4],
    ['in the last cell', 'a@b.c,1,"', 2],
    ['for more than a megabyte', `a@b.c,1,"x\n${'d@e.f,2,y\n'.repeat(200_000)}`, 2],
  ])('is reported with its line: %s', async (_, body, line) => {
    const error = await fileErrorOf(HEADER + body);
    expect(error).toMatchObject({ code: 'unclosed_quote', errors: [{ line, code: 'unclosed_quote' }] });
    expect(error.message).toContain(`line ${line}: `);
  });

  test('is distinguished from an endless row', async () => {
    const cells = `a@b.c,1${',x'.repeat(600_000)}\n`;
    expect(await fileErrorOf(`${HEADER}a@b.c,1,x\n${cells}`)).toMatchObject({
      code: 'record_too_long',
      errors: [{ line: 3 }],
    });
    const cell = `a@b.c,1,"${'x\n'.repeat(600_000)}"\n`;
    expect(await fileErrorOf(`${HEADER}a@b.c,1,x\n${cell}`)).toMatchObject({
      code: 'unclosed_quote',
      errors: [{ line: 3 }],
    });
  });
});

describe('escaped columns', () => {
  test('lose one apostrophe in front of a formula', async () => {
    const { records } = await read(
      "emailEscaped,integrationId,identityEscaped\n'=a@b.c,1,'=x\na@b.c,1,''-x\na@b.c,1,'x\na@b.c,1,=x\na@b.c,1,'|\n",
    );
    expect(records.map(({ email, identity }) => [email, identity])).toEqual([
      ['=a@b.c', '=x'],
      ['a@b.c', "'-x"],
      ['a@b.c', "'x"],
      ['a@b.c', '=x'],
      ['a@b.c', '|'],
    ]);
  });

  test('are those whose own header marks them as escaped', async () => {
    const { records } = await read("email,integrationId,identity escaped\n'=a@b.c,1,'=x\n");
    expect(records).toEqual([{ email: "'=a@b.c", integrationId: 1, identity: '=x' }]);
  });

  test('under other headers are read literally', async () => {
    expect(await rowsOf("a@b.c,1,'=x\n")).toEqual(["2 a@b.c 1 '=x"]);
  });

  test('are shown unescaped when rejected, so that the rejected file escapes them once', async () => {
    const { rejected } = await read("emailEscaped,integrationId,identityEscaped\n'=a,1,'=x\n");
    expect(rejected[0]?.cells).toEqual(['=a', '1', '=x']);
  });
});
