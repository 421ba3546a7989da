import { describe, expect, test } from '@jest/globals';
import {
  choiceErrors,
  dataInHeader,
  isChoosable,
  proposeChoice,
  toOptions,
} from '../../../api/console/identities/upload/columns/column-choice.ts';
import { describeFormat } from '../../../api/console/identities/upload/file/describe-format.ts';
import { importLabel, planLabel } from '../../../api/console/identities/upload/import-label.ts';
import {
  missingOptions,
  previewQuery,
  readUploadState,
  uploadRequest,
  withJob,
  withOptions,
} from '../../../api/console/identities/upload/upload-state.ts';
import { readTableUpload, tableRequest } from '../../../api/console/tables/upload/upload-state.ts';
import { columnsOption } from '../../../api/routes/identities/columns-option.ts';

const optionsOf = (search: string) => readUploadState(new URLSearchParams(search)).options;

describe('the address', () => {
  test.each([
    [false, 'PATCH'],
    [true, 'PUT'],
  ])('asks to add rows to a table only if there is one (new: %s)', (isNew, method) => {
    const { options } = readTableUpload(new URLSearchParams('mode=merge'), isNew);
    expect(tableRequest(options, 'dryRun').method).toBe(method);
  });

  test('a new dry run removes the earlier import; other options remove both', () => {
    const before = new URLSearchParams('dryRun=1&import=2&onError=continue');
    expect(withJob(before, 'import', '3').toString()).toBe('dryRun=1&import=3&onError=continue');
    expect(withJob(before, 'dryRun', '3').toString()).toBe('dryRun=3&onError=continue');
    expect(withOptions(before, { charset: 'big5' }).toString()).toBe('onError=continue&charset=big5');
    expect(withOptions(before, { onError: 'abort' }).toString()).toBe('');
  });

  test('invalid values count as absent', () => {
    expect(optionsOf('mode=all&onError=never')).toEqual(optionsOf(''));
  });
});

describe('requests', () => {
  test('only the first step sends dryRun=true', () => {
    const options = optionsOf('onError=continue&charset=big5');
    const { method, query } = uploadRequest(options, 'dryRun');
    expect(method).toBe('PATCH');
    expect(query).toEqual({ onError: 'continue', charset: 'big5', dryRun: true });
    expect(uploadRequest(options, 'import').query.dryRun).toBeUndefined();
  });

  const chosen = 'emailColumn=Work mail&identityColumn=Login, "unique"&integrationId=7&expectedRows=3';

  test('the API reads the names of the chosen columns as they are', () => {
    const { query } = uploadRequest(optionsOf(chosen), 'import');
    expect(query).toMatchObject({ integrationId: '7', expectedRows: '3' });
    expect(columnsOption(['email', 'identity']).parse(query.columns)).toEqual({
      email: 'Work mail',
      identity: 'Login, "unique"',
    });
  });

  test('a removal names no column for the email', () => {
    const { method, query } = uploadRequest(optionsOf(`${chosen}&mode=remove`), 'import');
    expect([method, query.columns]).toEqual(['DELETE', 'identity:"Login, ""unique"""']);
    expect(previewQuery(optionsOf(`${chosen}&mode=remove`), false)).toMatchObject({
      action: 'remove',
      columns: query.columns,
      complete: false,
    });
  });

  test('the options of a mirror are sent with a mirror only, and required there', () => {
    const mirror = 'integrationIds=7,8&maxRemovals=0';
    const merged = uploadRequest(optionsOf(mirror), 'import').query;
    expect(merged).toEqual({ onError: 'abort' });
    const mirrored = uploadRequest(optionsOf(`mode=mirror&${mirror}`), 'import').query;
    expect(mirrored).toMatchObject({ mode: 'mirror', integrationIds: '7,8', maxRemovals: '0' });
    expect(missingOptions(optionsOf(`mode=mirror&${mirror}`))).toEqual({});
    expect(Object.keys(missingOptions(optionsOf('mode=mirror')))).toEqual(['integrationIds', 'maxRemovals']);
    expect(missingOptions(optionsOf(''))).toEqual({});
  });
});

const column = (name: string, candidate: 'email' | 'integrationId' | 'identity' | null = null) => ({
  name,
  field: null,
  candidate,
  samples: [],
});

describe('the choice of columns', () => {
  const columns = [
    column('Mail', 'email'),
    column('Mail ', 'email'),
    column('Work mail', 'email'),
    column('Login', 'identity'),
    column(''),
    column('x'.repeat(256)),
  ];

  test('is proposed from the candidates that can be named', () => {
    expect(columns.map((_, index) => isChoosable(columns, index))).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
    expect(proposeChoice(columns, '')).toEqual({
      email: 2,
      integrationId: null,
      identity: 3,
      fixedId: null,
    });
  });

  test('starts with the columns that are read, and with the account system that is set', () => {
    const read = [column('A'), { ...column('B'), field: 'email' as const }, column('C', 'email')];
    expect(proposeChoice(read, '7')).toMatchObject({ email: 1, integrationId: null, fixedId: '7' });
  });

  test('is checked', () => {
    const choice = { email: 2, integrationId: 2, identity: null, fixedId: null };
    expect(choiceErrors(choice, 'assert')).toEqual({
      integrationId: 'This column is chosen for email already.',
      identity: 'Choose a column.',
    });
    expect(choiceErrors(choice, 'remove')).toEqual({ identity: 'Choose a column.' });
    expect(choiceErrors({ ...choice, identity: 3, fixedId: '07' }, 'assert')).toEqual({
      integrationId: expect.stringMatching(/plain digits/),
    });
  });

  test('warns of names that look like data', () => {
    const unknown = { error: { code: 'column_missing' } } as Parameters<typeof dataInHeader>[0];
    const header = ['ada@a.example', '7 ', 'ada', 'line 7'].map((name) => column(name));
    expect(dataInHeader({ ...unknown, columns: header })).toEqual(['ada@a.example', '7']);
    const read = [{ ...column('ada@a.example'), field: 'email' as const }, column('2026')];
    expect(dataInHeader({ error: null, columns: read })).toEqual(['ada@a.example']);
  });

  test('becomes options', () => {
    const choice = { email: 1, integrationId: null, identity: 3, fixedId: '7' };
    expect(toOptions(choice, columns)).toEqual({
      emailColumn: 'Mail',
      integrationIdColumn: '',
      identityColumn: 'Login',
      integrationId: '7',
    });
  });
});

test.each([
  ['assert', { total: 1_204, rejected: 4 }, 'Import 1,200 rows'],
  ['mirror', { total: 3, removed: 0 }, 'Import 3 rows'],
  ['mirror', { total: 3, removed: 1 }, 'Import 3 rows and remove 1 account'],
  ['remove', { total: 3, removed: 2 }, 'Remove 2 accounts'],
] as const)('the button after a dry run of mode %s with the counts %j is "%s"', (mode, counts, label) => {
  expect(importLabel({ counts }, mode)).toBe(label);
});

test.each([
  [{ created: 3, updated: 1 }, 4, 'Apply 4 changes'],
  [{ updated: 1, removed: 2 }, 3, 'Apply 1 change and remove 2 accounts'],
  [{ removed: 1 }, 1, 'Remove 1 account'],
  [{ removed: 1 }, 'unknown', 'Apply the plan'],
] as const)(
  'the button that applies a plan with the counts %j and %s changes is "%s"',
  (counts, plan, label) => {
    expect(planLabel({ counts }, plan)).toBe(label);
  },
);

test('describeFormat names what was detected', () => {
  const format = {
    delimiter: ';',
    charset: 'utf-8',
    columnCount: 4,
    compression: 'gzip',
    sheets: null,
    sheet: null,
  } as const;
  expect(describeFormat(format)).toBe('Separated by semicolons · UTF-8 · 4 columns · gzip');
  const binary = {
    delimiter: null,
    charset: null,
    columnCount: 0,
    compression: null,
    sheets: null,
    sheet: null,
  };
  expect(describeFormat(binary)).toBe('');
  const workbook = { ...binary, columnCount: 3, sheets: ['People', 'Teams'], sheet: 'People' };
  expect(describeFormat(workbook)).toBe('Excel workbook · sheet People · 3 columns');
});
