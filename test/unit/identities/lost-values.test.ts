import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { previewCsv } from '../../../workers/identities/preview/preview-csv.js';
import { isLostValue, lostValue } from '../../../workers/identities/record/lost-value.js';
import { isEncoded, isSuspicious } from '../../../workers/identities/record/suspicious-value.js';
import { readAccounts } from '../../../workers/worklist/read-accounts.js';
import { read } from './reading.js';

const HEADER = 'email,integrationId,identity\n';
const rowsOf = (...identities: string[]) =>
  HEADER + identities.map((identity, at) => `a${at}@example.com,7,${identity}\n`).join('');

const LOST = [
  // After the mark of a text or a formula, or in quotes
  ...["'#N/A", "'1.23457E+11", '=#REF!', "'#Fehler", '#Type!', "'1.23E+11"],
  // Excel
  ...['#N/A', '#REF!', '#NAME?', '#VALUE!', '#DIV/0!', '#NUM!', '#NULL!', '#SPILL!', '#CALC!', '#FIELD!'],
  ...[
    '#GETTING_DATA',
    '#BLOCKED!',
    '#CONNECT!',
    '#UNKNOWN!',
    '#BUSY!',
    '#PYTHON!',
    '#EXTERNAL!',
    '#TIMEOUT!',
  ],
  // Excel in other languages
  ...[
    '#NV',
    '#NOM?',
    '#BEZUG!',
    '#WERT!',
    '#ZAHL!',
    '#ÜBERLAUF!',
    '#DATEN_ABRUFEN',
    '#¡REF!',
    '#¿NOMBRE?',
    '#N/D',
  ],
  ...[
    '#Н/Д',
    '#ССЫЛКА!',
    '#YOK',
    '#NENÍ_K_DISPOZICI',
    '#NEDOSTUPNY',
    '#HIÁNYZIK',
    '#I/T',
    '#ΔΙΑΙΡ./0!',
    '#분산!',
    '#VERİ_ALINIYOR',
  ],
  // LibreOffice and Google Sheets
  ...[
    'Err:502',
    'Err:540',
    'Fehler:508',
    'Ошибка:522',
    '#ERR502!',
    '#FMT',
    '#ERROR!',
    'Loading...',
    'Wird geladen…',
  ],
  // Add-ins, Access and report servers
  ...[
    '#N/A N/A',
    '#N/A Requesting Data...',
    '#Error',
    '#Deleted',
    '#n/a',
    '#Func!',
    '#Size!',
    '#Name?',
    '#Num!',
    '#Err',
    '#Missing',
  ],
  ...[
    '#Erreur',
    '#Valeur!',
    '#¡VALOR!',
    '#¡Valor!',
    '#Wert!',
    '#Fout',
    '#Errore',
    '#Ошибка',
    '1.#INF',
    '-1.#IND',
    '1.#QNAN00',
  ],
  // Too narrow a column, and numbers that lost their digits
  ...[
    '#',
    '########',
    '1.23457E+11',
    '1,23457E+11',
    '5.57058e+11',
    '1E+11',
    '1.5E-07',
    '1.23457E11',
    '-1.2E+5',
  ],
];

const FORMULAS = [
  ...[
    '{=SUM(A1:A3)}',
    '"=A1"',
    '=1E5',
    '=.5',
    '=A1#',
    '=[.A1]',
    '=Users[[#This Row],[Login]]',
    '+A1&"x"',
    '+sum(a1:a3)',
    '@sum(A1:A3)',
  ],
  ...[
    '=A1',
    '=$A$1',
    '=A1+B2',
    '=-A1',
    '=(A1)',
    '=@A1',
    '=A:A',
    '=1:3',
    '=R[-1]C',
    '=Z1S1',
    '=1+2',
    '=007',
    '=12345',
  ],
  ...[
    '=VLOOKUP(A2;X;2;0)',
    '=SVERWEIS(A2;X;2;0)',
    '=NA()',
    '=IF(A1="";"";A1)',
    '=_xlfn.XLOOKUP(A2,B:B,C:C)',
    '=если(A1;1)',
  ],
  ...['=""', '="007"', '\'="007"', '= "007"', '="a"&B1', '=T("007")', '={1,2}', '=TRUE', '＝SUM(A1)', "'=A1"],
  ...[
    '=Sheet1!A1',
    "='My sheet'!A1",
    '=[Book1.xlsx]Sheet1!$A$1',
    '=$Tabelle1.A1',
    '=Users[Login]',
    '=[@Login]',
  ],
  ...["=cmd|'/C calc'!A0", '=Sheet1!#REF!', '=HYPERLINK("mailto:ada@example.com")', '=Übersicht!B2', '=A1=5'],
  ...[
    '+A1',
    '-A1',
    '+A1+B1',
    '-(A1+B1)',
    '+Sheet1!A1',
    '+SUM(A1:A3)',
    '-SUMME(A1:A3)*2',
    '@SUM(A1:A3)',
    '@NOW()',
  ],
];

const NAMES = [
  ...['=', '=ada', '=[vf]=ada', '=C3=BCber', '=?UTF-8?Q?M?=', '=)', '==ada==', '=b2b', 'a=A1', 'ada(A1)'],
  ...[
    '@ada',
    '@A1',
    '@ada(ops)',
    '@TEAM(EU)',
    '+491711234567',
    '+49-171-123',
    '-1',
    '-x',
    '+ada',
    '+a1',
    '+A1-team',
    '-Ada',
  ],
  '#general',
  '#fel',
  '#1',
  'C#',
  '#FF0000',
  '#team!',
  '1e5',
  '12e45',
  '7e10',
  'E11',
  '1.5',
  'login-5',
  'user:501',
  'a...',
];

test.each(LOST)('%s is what a spreadsheet leaves in place of a value', (text) =>
  expect(isLostValue(text)).toBe(true),
);

test.each(FORMULAS)('%s is a formula in place of a value', (text) => {
  expect(isLostValue(text)).toBe(true);
  expect(lostValue('identity', text).message).toBe(
    `a spreadsheet left a formula instead of a value: ${text}. Restore it from its source. If it is the real value, add damaged=keep`,
  );
});

test.each(NAMES)('%s may be the name of an account', (text) => expect(isLostValue(text)).toBe(false));

const SUSPICIOUS = [
  ...['#REF', '#null', 'Error 2042', '[Error]', '∞', '*****', '1.234,56', '1,234.56'],
  ...[
    'nan',
    'NaN',
    'NULL',
    'undefined',
    '[object Object]',
    '-- UNDEFINED --',
    'None',
    'N/A',
    '(null)',
    '<NA>',
    'NaT',
  ],
  ...['\\N', '[null]', 'nil', '(blank)', '-', '—', 'TRUE', '1-Mar', 'Sep-02', '12345678901234500000'],
  // Missing in other words and languages, twice, and as other programs write it
  ...['not set', 'Not Available', '(leer)', '(vide)', '(en blanco)', 'null null', 'undefined.undefined'],
  ...['System.Object', 'System.String[]', 'Microsoft.ActiveDirectory.Management.ADPropertyValueCollection'],
  ...['[]', '{}', '<User object at 0x7f3a>', '[Ljava.lang.String;@1b2c3d', '{{ user.login }}', '%USERNAME%'],
  // Truth values, dates and numbers of spreadsheets in other languages
  ...['WAHR', 'FALSCH', 'VRAI', 'FAUX', 'VERDADERO', 'SANT', 'FAŁSZ', 'EPÄTOSI', 'ИСТИНА'],
  ...['1-Mär', '1. Mrz', '01. März', '1-mars', 'Mrz 21', 'May-2021', '3月1日', '1/3/21', '01.03.2021'],
  ...['2021-03-01', '2021-03-01 00:00:00', '2021-03-01T00:00:00Z', '3/1/2021 12:00:00 AM', '12:30:00'],
  ...[
    '12345.0',
    '12345,00',
    '1,234,567',
    '1234567890123450',
    '1.234.567',
    '1 234 567',
    "1'234'567",
    '12,34,567',
    '1.234.567.890',
  ],
  ...['12:30', '9:05', '12:00 AM', '12:30 p.m.', '12:30:00.000', 'Inf', '-Inf', 'Infinity', '+Infinity'],
];

const ENCODED = [
  ...[
    'M\\374ller',
    'm\\u{fc}ller',
    "M\\'fcller",
    'M{\\"u}ller',
    '\\"ada\\"',
    'ada\\',
    'M%fcller',
    '%E4%F6',
    'ada%0A',
    'ada=0D=0A',
  ],
  ...['M¿ller', '¿ada', 'M³ller', '<b>ada</b>'],
  ...[
    'M=C3=BCller',
    'acct=3D1',
    'M%C3%BCller',
    'ada%40example.com',
    'M&uuml;ller',
    'M&#252;ller',
    '=?UTF-8?Q?M?=',
  ],
  ...['M\\u00fcller', '\\u00d6zil', '\\u3042\\u3044', 'M\\xc3\\xbcller', 'M\\xfcller', 'M\\303\\274ller'],
  ...[
    'M%FCller',
    'M%C3%BCller',
    '%D6zil',
    'Jos%E9',
    'M%u00FCller',
    'M=FCller',
    'Jos=E9',
    'ada=40example.com',
    'ada=20smith',
  ],
  ...[
    'M??ller',
    '?ada',
    '??ada',
    'J?rg M?ller',
    'Jos? Garc?a',
    'Jos??',
    'm=fcller@example.com',
    'm%e4rz@example.com',
  ],
  ...['=ada', 'MÃ¼ller', 'MÃ–LLER', 'AndrÃ©', 'Åukasz Åš', 'ÐŸÐµÑ‚Ñ€', 'M√ºller', 'M├╝ller', 'M?ller'],
];

test.each(SUSPICIOUS)('%s is suspicious', (text) =>
  expect([isSuspicious(text), isLostValue(text)]).toEqual([true, false]),
);

test.each([
  ...[
    'nanette',
    'nullable',
    'noneya',
    'march1',
    '1234567890123456',
    'true-x',
    'unknown1',
    'sant',
    'vero',
    'tom',
    'leer',
  ],
  ...[
    'system.admin',
    '1-marketing',
    '10.1.2.3',
    '12-34',
    '1.5',
    '100',
    '50%',
    'a=b',
    'AT&T',
    'user%acme',
    'CORP\\u123456',
    'CORP\\u012345',
    'CORP\\xenia',
    ...[
      'uid=fabian',
      'CN=Ada,C=DE',
      'user%dave',
      'info',
      'inflight',
      '192.168.100.200',
      '10.100.200.250',
      'a:12:30',
      'really?!',
    ],
    'who?',
  ],
  ...[
    'André–Marie',
    'Preuß',
    'ÅÄÖ',
    'Łukasz',
    '{3F2504E0-4F89-11D3-9A0C-0305E82C3301}',
    'Пётр',
    '#1',
    '12345678',
  ],
])('%s is not suspicious', (text) => expect([isSuspicious(text), isEncoded(text)]).toEqual([false, false]));

describe('a file', () => {
  test('has a rejected row for each lost value, and the reason', async () => {
    const { records, rejected } = await read(rowsOf('#N/A', ' #REF! ', 'ada', '1.23457E+11', '########'));
    expect(records.map(({ identity }) => identity)).toEqual(['ada']);
    expect(
      rejected.map(({ line, errors }) => [line, errors.length, errors[0]?.field, errors[0]?.code]),
    ).toEqual([2, 3, 5, 6].map((line) => [line, 1, 'identity', 'identity_damaged']));
    expect(rejected[0]?.errors[0]?.message).toBe(
      'a spreadsheet lost this value: #N/A. Restore it from its source. If it is the real value, add damaged=keep',
    );
  });

  test('gives the same reason for an owner and an account system', async () => {
    const { rejected } = await read(`${HEADER}#N/A,1E+11,ada\n`);
    expect(rejected[0]?.errors).toEqual([
      {
        field: 'email',
        code: 'email_damaged',
        message: 'a spreadsheet lost this value: #N/A. Restore it from its source',
      },
      expect.objectContaining({ field: 'integrationId', code: 'integration_id_damaged' }),
    ]);
  });

  test('has a rejected row for each formula, and an empty text is missing', async () => {
    const { records, rejected, warnings } = await read(
      rowsOf('=A1', '"=IF(A1=1,""a"",""b"")"', '+A1', '=""', '"="""""', '="007"', '+491711234567', '@ada'),
    );
    expect(records.map(({ identity }) => identity)).toEqual(['007', '+491711234567', '@ada']);
    expect(rejected.map(({ errors }) => errors[0]?.code)).toEqual([
      ...Array(3).fill('identity_damaged'),
      ...Array(2).fill('identity_missing'),
    ]);
    expect(warnings).toMatchObject([{ code: 'padding_removed', count: 1 }]);
  });

  test('is accepted as it is on request', async () => {
    const { records, rejected } = await read(rowsOf('#N/A', '1E+11'), { keepsLost: true });
    expect([records.map(({ identity }) => identity), rejected]).toEqual([['#N/A', '1E+11'], []]);
  });

  test('has warnings with the number and the first lines of suspicious values', async () => {
    const names = ['nan', 'ada', 'NULL', '(null)', 'None', 'nil', 'undefined'];
    const { records, warnings } = await read(rowsOf(...names));
    expect(records).toHaveLength(7);
    expect(warnings).toEqual([
      {
        code: 'suspicious_values',
        count: 6,
        message: expect.stringMatching(/: line 2, identity "nan"; line 4, identity "NULL"; .*; and 1 more$/),
      },
    ]);
  });

  test('has the same warnings wherever its reading was resumed', async () => {
    const file = rowsOf('nan', 'ada', 'NULL', "'007", 'bob', 'None');
    const whole = await read(file, { batchRows: 2 });
    const batches = await batchesOf(file);
    for (const from of batches.slice(0, -1)) {
      const rest = await read(file.slice(from?.offset), { batchRows: 2, from });
      expect(rest.warnings).toEqual(whole.warnings);
    }
  });

  test('shows both in a preview', async () => {
    const preview = await previewCsv(Buffer.from(rowsOf('#N/A', 'nan')), { choice: {}, isComplete: true });
    expect(preview.rowErrors).toMatchObject([{ line: 2, field: 'identity', code: 'identity_damaged' }]);
    expect(preview.warnings).toMatchObject([{ code: 'suspicious_values', count: 1 }]);
  });
});

test.each([
  ['аda@example.com', 'ada', 'email "аda@example.com" looks like "ada@example.com"'],
  ['İpek@example.com', 'ada', 'email "i̇pek@example.com" looks like "ipek@example.com"'],
  ['o’brien@example.com', 'ada', 'email "o’brien@example.com" looks like "o\'brien@example.com"'],
  ['ada@example.com', 'ada–l', 'identity "ada–l" looks like "ada-l"'],
  ["'ada@example.com", 'ada', `email "'ada@example.com" looks like "ada@example.com"`],
  [
    '"""ada""@example.com"',
    'ada',
    `email ${JSON.stringify('"ada"@example.com')} looks like "ada@example.com"`,
  ],
  ['ada@example.com', 'ａda', 'identity "ａda" looks like "ada"'],
  ['ada@example.com', 'сора', 'identity "сора" looks like "copa"'],
  ['ada@example.com', 'ᴀda', 'identity "ᴀda" looks like "ada"'],
  ['ada@example.com', 'ʟogin', 'identity "ʟogin" looks like "login"'],
  ['ada@example.com', 'ꓮda', 'identity "ꓮda" looks like "Ada"'],
  ['ada@example.com', "'-x", `identity "'-x" looks like "-x"`],
  ['ada@example.com', 'oʼbrien', `identity "oʼbrien" looks like "o'brien"`],
  ['ada@example.com', 'müllerʼs', `identity "müllerʼs" looks like "müller's"`],
  ['ada@example.com', 'ops⁄ada', 'identity "ops⁄ada" looks like "ops/ada"'],
  ['ada@example.com', 'ада-smith', 'identity "ада-smith" looks like "aдa-smith"'],
  ['ada@example.com', 'ада.smith', 'identity "ада.smith" looks like "aдa.smith"'],
  ['ada@example.com', "'ada", `identity "'ada" looks like "ada"`],
  ['ada@example.com', "'ada'", `identity "'ada'" looks like "ada"`],
  ['ada@example.com', '"""ada"""', `identity ${JSON.stringify('"ada"')} looks like "ada"`],
  ['ada@example.com', '"ada"""', `identity ${JSON.stringify('ada"')} looks like "ada"`],
  ['ada@example.com', '“ada”', 'identity "“ada”" looks like "ada"'],
  ['ada@example.com', '«ada»', 'identity "«ada»" looks like "ada"'],
  ['ada@example.com', '‚ada‘', 'identity "‚ada‘" looks like "ada"'],
  ['ada@example.com', "''ada''", `identity "''ada''" looks like "ada"`],
  ['ada@example.com', '`ada`', 'identity "`ada`" looks like "ada"'],
  ['ada@example.com', "'@ada", `identity "'@ada" looks like "@ada"`],
])('%s, %s: a look-alike is accepted with a warning', async (email, identity, what) => {
  const { records, warnings } = await read(`${HEADER}${email},7,${identity}\n`);
  expect(records).toHaveLength(1);
  expect(warnings).toMatchObject([
    { code: 'lookalike_values', count: 1, message: expect.stringContaining(what) },
  ]);
});

test.each(ENCODED)('%s is not decoded', (text) => expect(isEncoded(text)).toBe(true));

test.each(['mÃ¼ller@example.com', 'm%C3%BCller@example.com', 'm=C3=BCller@example.com'])(
  'an email that was not decoded is accepted with a warning: %s',
  async (email) => {
    const { records, warnings } = await read(`${HEADER}${email},7,ada\n`);
    expect(records).toHaveLength(1);
    expect(warnings).toMatchObject([
      {
        code: 'suspicious_values',
        message: expect.stringContaining(`line 2, email "${email.toLowerCase()}"`),
      },
    ]);
  },
);

test('accents, other alphabets and decomposed letters are no look-alikes', async () => {
  const names = [
    'michał',
    'Muller',
    'Mu\u0308ller',
    'straße',
    'Nguyễn',
    'оксана',
    '山田',
    'ada-山田',
    'ışık',
    "d'artagnan",
  ];
  const { records, warnings } = await read(rowsOf(...names));
  expect([records.length, warnings]).toEqual([10, []]);
});

test.each([
  ['a@b.c,7,="007"', '007', 'identity "=\\"007\\""'],
  ['a@b.c,7,"=""007"""', '007', 'identity "=\\"007\\""'],
  ['="a@b.c",="7",="ada"', 'ada', 'email "=\\"a@b.c\\""'],
  ["a@b.c,7,'007", '007', `identity "'007"`],
  ['a@b.c, 7 ,ada', 'ada', 'integrationId " 7 "'],
  ['a@b.c,\u00a07\u2009,ada', 'ada', 'integrationId'],
  ["a@b.c,'7,ada", 'ada', `integrationId "'7"`],
  ['a@b.c,7,ada,,', 'ada', '5 cells, the header has 3'],
  ['a@b.c,7,ada, ,\u00a0', 'ada', '5 cells, the header has 3'],
])('%s: padding is removed with a warning', async (row, identity, what) => {
  const { records, rejected, warnings } = await read(`${HEADER}${row}\n`);
  expect(rejected).toEqual([]);
  expect(records).toEqual([{ email: 'a@b.c', integrationId: 7, identity }]);
  expect(warnings[0]).toMatchObject({
    code: 'padding_removed',
    message: expect.stringContaining(`line 2, ${what}`),
  });
});

test('a list of accounts has the same warning', async () => {
  const source = Readable.from([Buffer.from("identity,name\n'007,Bond\nada,Ada\n")]);
  const { accounts, warnings } = await readAccounts(source, { integrationId: 7, keepsLost: false });
  expect(accounts.map(({ identity }) => identity)).toEqual(['007', 'ada']);
  expect(warnings).toMatchObject([
    { code: 'padding_removed', message: expect.stringContaining(`line 2, identity "'007"`) },
  ]);
});

test('a list of accounts names an owner that a spreadsheet lost', async () => {
  const source = Readable.from([Buffer.from('identity,email\nada,#N/A\n')]);
  await expect(readAccounts(source, { integrationId: 7, keepsLost: false })).rejects.toMatchObject({
    errors: [{ line: 2, field: 'email', code: 'email_damaged' }],
  });
});

test('what stands for no value in a list is read as none, with a warning, and suggests nobody', async () => {
  const file = 'identity,name,email\nada,#N/A,-\nbob,null,none\ncarl,=A1,\nnull,Carl,\n';
  const { accounts, warnings } = await readAccounts(Readable.from([Buffer.from(file)]), {
    integrationId: 7,
    keepsLost: false,
  });
  expect(accounts.map(({ identity, name, email }) => [identity, name, email])).toEqual([
    ['ada', '', ''],
    ['bob', '', ''],
    ['carl', '', ''],
    ['null', 'Carl', ''],
  ]);
  expect(warnings).toMatchObject([
    {
      code: 'missing_values',
      count: 5,
      message: expect.stringContaining('line 2, email "-"; line 2, name "#N/A"'),
    },
    { code: 'suspicious_values', count: 1 },
  ]);
});

test('a row may leave out cells under columns without a name, and no others', async () => {
  const { records, rejected } = await read('email,integrationId,identity,,\na@b.c,7,ada\na@b.c,7\n');
  expect([records.length, rejected[0]?.errors[0]?.code]).toEqual([1, 'cell_count']);
  const named = await read('email,integrationId,identity,team\na@b.c,7,ada\n');
  expect(named.rejected[0]?.errors[0]?.code).toBe('cell_count');
});

async function batchesOf(file: string) {
  const { readCsv } = await import('../../../workers/identities/parse/read-csv.js');
  const limits = { maxBytes: 2 ** 40, maxRows: 2 ** 40 };
  async function* source() {
    yield Buffer.from(file);
  }
  const points = [];
  for await (const { next } of readCsv(source(), { limits, batchRows: 2 })) points.push(next ?? undefined);
  return points;
}
