import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { PREVIEW_MAX_BYTES, previewCsv } from '../../../workers/identities/preview/preview-csv.js';
import { outcomeOf, read } from '../identities/reading.js';
import { splitFile } from './split-file.js';

/**
 * Other people's CSV files, at the reader's level: decoded, the delimiter found, split into records. Each file is
 * named here with what is expected of it, and why where that differs from what its origin expects.
 */
const DATA = join(import.meta.dirname, '../../../../shared/data/csv');

const present = existsSync(DATA);

/** A group of tests, skipped with the reason in its name where the data is not at hand. */
function when(name: string, tests: () => void): void {
  if (present) describe(name, tests);
  else describe.skip(`${name} (skipped: ../shared/data/csv is not there)`, tests);
}

const named = new Set<string>();

/** Marks a file as tested, and reads it. */
function load(path: string): Buffer {
  named.add(path);
  return readFileSync(join(DATA, path));
}

const records = (path: string, charset?: string) => splitFile(load(path), charset).map(({ cells }) => cells);

when('csv-spectrum', () => {
  test.each([
    ['comma_in_quotes'],
    ['empty'],
    ['empty_crlf'],
    ['escaped_quotes'],
    ['json'],
    ['newlines'],
    ['newlines_crlf'],
    ['quotes_and_newlines'],
    ['simple'],
    ['simple_crlf'],
    ['utf8'],
  ])('%s equals its JSON', (name) => {
    const [header = [], ...rows] = records(`csv-spectrum/csvs/${name}.csv`);
    const expected = JSON.parse(load(`csv-spectrum/json/${name}.json`).toString());
    expect(rows.map((row) => Object.fromEntries(row.map((cell, index) => [header[index], cell])))).toEqual(
      expected,
    );
  });

  test('location_coordinates is rejected: its unquoted cell contains a quote', () => {
    // Its JSON has other values than the file, and both contain U+FFFD, so there is nothing to compare with.
    load('csv-spectrum/json/location_coordinates.json');
    const [header, row] = splitFile(load('csv-spectrum/csvs/location_coordinates.csv'));
    expect(header?.cells).toEqual(['Contact Phone Number', 'Location Coordinates', 'Cities', 'Counties']);
    expect(row?.error).toBe('stray_quote');
    expect(row?.cells).toEqual([
      '2095257564',
      `37\ufffd36'37.8"N 121\ufffd2'17.9"W`,
      'Modesto',
      'Stanislaus',
    ]);
  });
});

when('csv-parser', () => {
  test.each<[file: string, rows: string[][]]>([
    ['basic', ['a,b,c', '1,2,3'].map(cellsOf)],
    ['headers', ['1,2,3', '4,5,6', '7,8,9'].map(cellsOf)],
    ['bad-data', [',somejunk,<! />', ',nope,', 'yes,yup,yeah', 'ok,ok,ok!'].map(cellsOf)],
    ['empty-columns', ['2007-01-01,,', '2007-01-02,,'].map(cellsOf)],
    ['strict+skipLines', ['a,b,c', 'h1,h2,h3', '1,2,3', '4,5,6', '7,8,9'].map(cellsOf)],
    ['strict', ['a,b,c', '1,2,3', '4,5,6', '7,8,9,10'].map(cellsOf)],
    ['no-headers', ['a,b,c', '1,2,3', '4,5,6', '7,8,9,10'].map(cellsOf)],
    ['strict-false-less-columns', ['a,b,c', '1,2,3', '4,5', '6,7,8'].map(cellsOf)],
    ['strict-false-more-columns', ['a,b,c', '1,2,3', '4,5,6,7', '8,9,10'].map(cellsOf)],
    [
      'comma-in-quote',
      [cellsOf('first,last,address,city,zip'), ['John', 'Doe', '120 any st.', 'Anytown, WW', '08123']],
    ],
    [
      'escape-quotes',
      [
        ['a', 'b'],
        ['1', 'ha "ha" ha'],
        ['2', '""'],
        ['3', '4'],
      ],
    ],
    ['newlines', [cellsOf('a,b,c'), cellsOf('1,2,3'), ['Once upon \na time', '5', '6'], cellsOf('7,8,9')]],
    [
      'quotes+newlines',
      [
        ['a', 'b'],
        ['1', 'ha \n"ha" \nha'],
        ['2', ' \n"" \n'],
        ['3', '4'],
      ],
    ],
    ['bench/mac-newlines', [cellsOf('a,b,c'), cellsOf('1,2,3'), ['Once upon\ra time', '5', '6']]],
    ['bench/utf8', [cellsOf('a,b,c'), cellsOf('1,2,3'), ['4', '5', 'ʤ']]],
    ['bench/utf16', [cellsOf('a,b,c'), cellsOf('1,2,3'), ['4', '5', 'ʤ']]],
    ['bench/utf16-big', [cellsOf('a,b,c'), cellsOf('1,2,3'), ['4', '5', 'ʤ']]],
    // RFC 4180 has no comments: the line is a record like any other.
    ['comment', [['# comment'], cellsOf('a,b,c'), cellsOf('1,2,3')]],
    ['option-comment', [['~ comment'], cellsOf('a,b,c'), cellsOf('1,2,3')]],
    // Only the double quote is a quote character.
    ['option-quote', [cellsOf('a,b,c'), ['1', "'some value'", '2'], cellsOf('3,4,5')]],
    [
      'option-quote-many',
      [cellsOf('a,b,c'), ['1', "'some ''escaped'' value'", '2'], ['3', "''''''", '4'], cellsOf('5,6,7')],
    ],
    [
      'option-quote-escape',
      [cellsOf('a,b,c'), ['1', "'some \\'escaped\\' value'", '2'], ['3', "'\\'\\''", '4'], cellsOf('5,6,7')],
    ],
    // The backtick is not one of the four delimiters.
    ['backtick', [['pokemon_id`p_desc'], ['1`Bulbasaur can be seen napping'], ['2`There is a bud on this']]],
  ])('%s', (file, rows) => expect(records(`csv-parser/${file}.csv`)).toEqual(rows));

  test('geojson', () => {
    const rows = records('csv-parser/geojson.csv');
    expect(rows.map((row) => row.length)).toEqual([4, 4, 4, 4]);
    expect(
      rows.slice(1).map(([, prop0, prop1, geojson]) => [prop0, prop1, JSON.parse(geojson ?? '').type]),
    ).toEqual([
      ['value0', '', 'Point'],
      ['value0', '0.0', 'LineString'],
      ['value0', "{u'this': u'that'}", 'Polygon'],
    ]);
  });

  test('bench/latin, declared or not', () => {
    expect(records('csv-parser/bench/latin.csv', 'latin1').at(-1)).toEqual(['4', '5', '©']);
    expect(records('csv-parser/bench/latin.csv').at(-1)).toEqual(['4', '5', '\\xA9']);
  });

  test('option-escape: a backslash escapes nothing, so its rows are rejected', () => {
    const split = splitFile(load('csv-parser/option-escape.csv'));
    expect(split.map(({ error }) => error)).toEqual([null, 'stray_quote', 'stray_quote', null]);
  });

  test('option-newline: X ends no line, so there is one record with stray quotes', () => {
    const split = splitFile(load('csv-parser/option-newline.csv'));
    expect(split.map(({ error }) => error)).toEqual(['stray_quote']);
  });
});

when('commons-csv', () => {
  const dir = 'commons-csv/CSVFileParser';

  test('test.csv: its expected text for RFC 4180, except for two differences', () => {
    load(`${dir}/README.txt`);
    const expected = expectedRecords(`${dir}/test_rfc4180.txt`);
    const split = splitFile(load(`${dir}/test.csv`));
    // Blank lines are skipped here, and spaces around quotes are an error of the row instead of part of the cell.
    expect(split.filter(({ error }) => error).map(({ line, error }) => [line, error])).toEqual([
      [7, 'stray_quote'],
    ]);
    const kept = expected.filter((record) => record !== '1:[]' && !record.includes('" j "'));
    expect(split.filter(({ error }) => !error).map(({ cells }) => asExpected(cells))).toEqual(kept);
  });

  test('test.csv: its expected text without empty lines, except for the same row', () => {
    const expected = expectedRecords(`${dir}/test_default.txt`).filter((record) => !record.includes('" j "'));
    const split = splitFile(load(`${dir}/test.csv`)).filter(({ error }) => !error);
    expect(split.map(({ cells }) => asExpected(cells))).toEqual(expected);
  });

  test('test.csv: the other expected texts need comments and trimming, which are not supported', () => {
    const commented = expectedRecords(`${dir}/test_default_comment.txt`);
    const trimmed = expectedRecords(`${dir}/test_rfc4180_trim.txt`);
    const split = splitFile(load(`${dir}/test.csv`)).filter(({ error }) => !error);
    const plain = split.filter(({ cells }) => !cells[0]?.startsWith('#'));
    const without = (records: string[]) => records.filter((record) => !/" ?j ?"|\[ i , {2}j/.test(record));
    expect(plain.map(({ cells }) => asExpected(cells))).toEqual(without(commented));
    const trim = split.map(({ cells }) => asExpected(cells.map((cell) => cell.trim())));
    expect(trim).toEqual(without(trimmed).filter((record) => record !== '1:[]'));
  });

  test.each([
    ['testCSV85.csv', ['testCSV85_default.txt', 'testCSV85_ignoreEmpty.txt']],
    ['testCSV246.csv', ['testCSV246_checkWithNoComment.txt']],
  ])('%s: its expected records, and its comment lines as records', (file, texts) => {
    const split = splitFile(load(`${dir}/${file}`));
    const rows = split
      .filter(({ cells }) => !cells[0]?.startsWith('#'))
      .map(({ cells }) => asExpected(cells));
    for (const text of texts) {
      const expected = expectedRecords(`${dir}/${text}`).map((record) => record.replace(/\]#.*$/, ']'));
      expect(rows).toEqual(expected.filter((record) => record !== '1:[]'));
    }
  });

  test('bom.csv: the byte order mark is not part of the first name', () => {
    const rows = records(`${dir}/bom.csv`);
    const lines = load(`${dir}/bom.csv`).toString().replace('\ufeff', '').trimEnd().split(/\r?\n/);
    expect(rows).toEqual(lines.map(cellsOf));
    expect(rows[0]?.[0]).toBe('Date');
  });

  test.each([['emoji'], ['japanese']])('CSV-196/%s.csv', (name) => {
    const path = `commons-csv/CSV-196/${name}.csv`;
    const lines = load(path).toString().trimEnd().split(/\r?\n/);
    expect(records(path)).toEqual(lines.map(cellsOf));
  });

  test('CSV-141: the unclosed quotes of its third line end the file', () => {
    const path = 'commons-csv/CSV-141/csv-141.csv';
    expect(() => splitFile(load(path))).toThrow('line 3: the quote that opens here is not closed');
    const [first, second] = load(path).toString().split('\n');
    expect(splitFile(Buffer.from(`${first}\n${second}\n`)).map(({ cells }) => cells)).toEqual([
      ['1414770317901', 'android.widget.EditText', 'pass sem1 _84*|*', '0', 'pass sem1 _8'],
      ['1414770318470', 'android.widget.EditText', 'pass sem1 _84:|', '0', 'pass sem1 _84:\\'],
    ]);
  });

  test('CSV-213: semicolons', () => {
    expect(records('commons-csv/CSV-213/999751170.patch.csv')).toEqual([
      ['CHANELID', 'ADDRESS'],
      ['27', ''],
    ]);
  });

  test('CSV-254: absent and empty are the same', () => {
    expect(records('commons-csv/CSV-254/csv-254.csv')).toEqual([
      ['AA', '33', ''],
      ['AA', '', ''],
      ['', '33', 'CC'],
    ]);
  });

  test('CSV-259: a record without a line end', () => {
    expect(records('commons-csv/CSV-259/sample.txt')).toEqual([['x', 'y', 'z']]);
  });

  test('CSV-290: what PostgreSQL writes as CSV', () => {
    expect(records('commons-csv/CSV-290/psql.csv')).toEqual([
      ['1', 'abc', 'test line 1\ntest line 2', '', ''],
      ['2', 'xyz', '\\b:\b \\t:\t \\n:\n \\r:\r', 'a', 'b'],
      ['3', 'a', 'b,c,d', '"quoted"', 'e'],
    ]);
  });

  test('CSV-290: what PostgreSQL writes as text is not CSV: a backslash stays, a quote in front quotes', () => {
    expect(records('commons-csv/CSV-290/psql.tsv')).toEqual([
      ['1', 'abc', 'test line 1\\ntest line 2', '\\N', ''],
      ['2', 'xyz', '\\\\b:\\b \\\\t:\\t \\\\n:\\n \\\\r:\\r', 'a', 'b'],
      ['3', 'a', 'b,c,d', 'quoted', 'e'],
    ]);
  });

  test('csv-167: quotes inside unquoted cells make their rows invalid, comments are records', () => {
    const split = splitFile(load('commons-csv/csv-167/sample1.csv'));
    expect(split.map(({ line, error }) => [line, error])).toEqual([
      [1, null],
      [2, null],
      [3, null],
      [4, null],
      [5, null],
      [6, null],
      [7, 'stray_quote'],
      [8, 'stray_quote'],
    ]);
    expect(split[2]?.cells).toEqual(['Dan Simmons', 'Hyperion', '1989']);
  });

  test('empty.txt', () =>
    expect(() => splitFile(load('commons-csv/empty.txt'))).toThrow('the file is empty'));
});

when('papaparse', () => {
  test.each([['sample'], ['sample-header'], ['utf-8-bom-sample'], ['long-sample']])('%s', (name) => {
    const path = `papaparse/${name}.csv`;
    const lines = load(path).toString().replace('\ufeff', '').trimEnd().split('\n');
    expect(records(path)).toEqual(lines.map(cellsOf));
  });
});

when('under the headers of an identity', () => {
  test('the files that contain addresses are read as identities', async () => {
    const rows = records('papaparse/long-sample.csv');
    const header = ['first', 'last', 'email', 'created', 'changed', 'identity', 'integrationId'];
    const file = [header, ...rows.map((row) => [...row.slice(0, 6), '17'])]
      .map((row) => row.join())
      .join('\r\n');
    const found = await read(file);
    expect(found.records).toEqual(
      rows.map((row) => ({ email: row[2]?.toLowerCase(), integrationId: 17, identity: row[5] })),
    );
  });

  test.each([
    ['csv-parser/bench/utf16.csv', undefined],
    ['csv-parser/bench/utf16-big.csv', undefined],
    ['csv-parser/bench/utf8.csv', undefined],
    ['csv-parser/bench/latin.csv', 'latin1'],
    ['csv-spectrum/csvs/utf8.csv', undefined],
  ])('%s with its header renamed', async (path, charset) => {
    const encoding = path.includes('big')
      ? 'utf-16be'
      : path.includes('utf16')
        ? 'utf-16'
        : (charset ?? 'utf-8');
    const text = iconv.decode(load(path), encoding).replace('a,b,c', 'email,integrationId,identity');
    const file = iconv.encode(text.replace('\n1,2,3\n4', '\na@b.c,2,3\nd@e.f'), encoding, {
      addBOM: !charset,
    });
    const { records: found, rejected } = await read(file, { charset });
    expect(rejected).toEqual([]);
    expect(found).toEqual([
      { email: 'a@b.c', integrationId: 2, identity: '3' },
      { email: 'd@e.f', integrationId: 5, identity: charset ? '©' : 'ʤ' },
    ]);
  });
});

when('the data folder', () => {
  test('contains only files that are tested above', () => {
    const all = readdirSync(DATA, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(DATA.length + 1));
    expect(all.filter((path) => !named.has(path))).toEqual(['README.md']);
  });
});

function cellsOf(line: string): string[] {
  return line.split(',');
}

/** commons-csv's own form: the number of cells, then the cells. */
function asExpected(cells: string[]): string {
  return `${cells.length}:[${cells.join(', ')}]`;
}

/** The records start after two lines about the format; lines that start with # are comments. */
function expectedRecords(path: string): string[] {
  const lines = load(path).toString().split('\n').slice(2);
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

when('previews', () => {
  const files = present ? readdirSync(DATA, { recursive: true, encoding: 'utf8' }) : [];
  const small = files.filter((path) => {
    return path.endsWith('.csv') && statSync(join(DATA, path)).size <= PREVIEW_MAX_BYTES;
  });

  test('small files are read as by an upload', async () => {
    expect(small.length).toBeGreaterThan(30);
    for (const path of small) {
      const file = readFileSync(join(DATA, path));
      const named = await previewCsv(file, { choice: {}, isComplete: true });
      const columns = { email: named.columns[0]?.name, identity: named.columns.at(-1)?.name };
      const choice = { columns, integrationId: 1 };
      const found = await previewCsv(file, { choice, isComplete: true });
      const outcome = await outcomeOf(file, { choice });
      if ('fileError' in outcome) {
        expect([path, found.error?.message]).toEqual([path, outcome.fileError.message]);
        continue;
      }
      const { records, rejected } = outcome;
      const rows = Math.min(records.length + rejected.length, 2_000);
      expect([path, found.error, found.checkedRows]).toEqual([path, null, rows]);
      if (rows < 2_000) expect([path, found.rejectedRows]).toEqual([path, rejected.length]);
    }
  });
});
