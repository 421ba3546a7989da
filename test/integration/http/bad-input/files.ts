import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { workbookOf } from '../../../support/files/workbook-file.js';
import { CANARY } from '../../../support/hostile/scene.js';
import { type BadInput, badQuery, csv, file, multipart, type Sent } from './case.js';

const PATCH = 'PATCH /v2/developers/identities';
const DELETE = 'DELETE /v2/developers/identities';
const PREVIEW = 'POST /v2/developers/identities/preview';
const WORKLIST = 'POST /v2/integrations/7/worklists';
const HEADER = 'email,integrationId,identity\n';
const ROW = 'ada@example.com,7,ada\n';
const GOOD = HEADER + ROW;

const badForm = (what: string, sent: Sent, code: string, says: string): BadInput => [
  what,
  PATCH,
  sent,
  400,
  code,
  says,
];

const badFile = (what: string, content: string | Uint8Array, code: string, says: string): BadInput =>
  badForm(what, csv(content), code, says);

const badRow = (what: string, row: string, says: string): BadInput =>
  badFile(what, `${GOOD}${row}\n`, 'invalid_rows', says);

const badOption = (what: string, query: string, says: string): BadInput =>
  badQuery(what, PATCH, query, says, csv(GOOD));

const FORM = 'multipart/form-data';

const severalSheets = workbookOf({
  sheets: '<sheet name="People" sheetId="1" r:id="rId1"/><sheet name="Other" sheetId="2" r:id="rId2"/>',
});

export const fileCases: readonly BadInput[] = [
  badFile('nothing', '', 'empty_file', 'empty'),
  badFile('only a header', HEADER, 'empty_file', 'no rows'),
  badFile('no header', ROW.repeat(2), 'header_missing', 'email'),
  badFile('a missing column', 'email,identity\na@b.org,ada\n', 'column_missing', 'integrationId'),
  badFile(
    'two columns for one field',
    `email,mail,integrationId,identity\na@b.org,a@b.org,7,ada\n`,
    'column_repeated',
    'email',
  ),
  badFile('a NUL', `${GOOD}a@b.org,7,a\0b\n`, 'nul_byte', ''),
  badFile('an image', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'not_csv', ''),
  badFile(
    'a cut workbook',
    Buffer.from('PK\x03\x04\x14\0\x06\0', 'latin1'),
    'workbook_damaged',
    'Save it again',
  ),
  badFile('a zip archive', Buffer.from(zipSync({ 'a.csv': Buffer.from(GOOD) })), 'not_csv', 'zip file'),
  badFile('a workbook of several sheets', severalSheets, 'sheet_missing', '"People", "Other"'),
  badOption('a sheet of CSV', 'sheet=People', 'sheet: applies to Excel workbooks (.xlsx) only'),
  badOption('a long name of a sheet', `sheet=${'x'.repeat(32)}`, 'sheet: must have at most 31'),
  badFile('JSON', '[{"email":"a@b.org"}]', 'not_csv', ''),
  badFile('damaged gzip', gzipSync(GOOD.repeat(20)).subarray(0, 40), 'gzip_truncated', ''),
  badFile('an open quote', `${GOOD}"a@b.org,7,ada\n${ROW}`, 'unclosed_quote', 'line 3'),
  badRow('too few cells', 'a@b.org,7', 'line 3: '),
  badRow('too many cells', 'a@b.org,7,ada,lovelace', 'line 3: '),
  badRow('an empty email', ',7,ada', 'line 3, email: '),
  badRow('a text as email', `${CANARY},7,ada`, 'line 3, email: must be an email address'),
  badRow('an integration in words', 'a@b.org,seven,ada', 'line 3, integrationId: '),
  badRow('an integration of 007', 'a@b.org,007,ada', 'line 3, integrationId: '),
  badRow('an integration of 1.0', 'a@b.org,1.0,ada', 'line 3, integrationId: '),
  badRow('a blank account', 'a@b.org,7," "', 'line 3, identity: '),
  badRow('a quote inside a cell', 'a@b.org,7,a"b', 'line 3'),
  badRow('text behind a quote', 'a@b.org,7,"a"b', 'line 3'),
  badRow('a character that turns the text', 'a@b.org,7,a\u202eb', 'line 3, identity: '),
  badFile('Latin-1 as UTF-8', Buffer.from(`${GOOD}a@b.org,7,caf\xe9\n`, 'latin1'), 'invalid_rows', 'line 3'),
  ['an unknown charset', `${PATCH}?charset=klingon`, csv(GOOD), 400, 'charset_unknown', 'klingon'],
  badOption('a long charset', `charset=${'x'.repeat(41)}`, 'charset: must have at most 40'),
  badOption('an unknown reaction', 'onError=ignore', 'onError: must be one of'),
  badOption('a negative number of rows', 'expectedRows=-1', 'expectedRows: must be an integer'),
  badOption('columns without fields', `columns=${CANARY}`, 'columns: must be field:name pairs'),
  badOption('an unknown field', 'columns=name:Login', 'columns: unknown field "name"'),
  badOption('a field twice', 'columns=email:A,email:B', 'columns: names more than one column for email'),
  badOption(
    'an integration twice',
    'integrationId=7&columns=integrationId:Id',
    'integrationId: cannot be combined',
  ),
  badOption(
    'a mirror without a limit',
    'mode=mirror&integrationIds=7',
    'maxRemovals: is required with mode=mirror',
  ),
  badOption('a limit without a mirror', 'maxRemovals=5', 'maxRemovals: requires mode=mirror'),
  badOption('an unknown mode', 'mode=replace', 'mode: must be one of'),
  ['another number of rows', `${PATCH}?expectedRows=5`, csv(GOOD), 400, 'row_count_mismatch', '5'],
  [
    'a row outside the mirror',
    `${PATCH}?mode=mirror&integrationIds=8&maxRemovals=0`,
    csv(GOOD),
    400,
    'invalid_rows',
    'line 2, integrationId: ',
  ],
  ['a column that is not there', `${PATCH}?columns=email:Mail`, csv(GOOD), 400, 'column_missing', 'Mail'],
  ['a file of 200 KB', PATCH, csv('x'.repeat(200_000)), 413, 'too_large', '100000 bytes'],
  ['gzip of 300 KB', PATCH, csv(gzipSync(HEADER + ROW.repeat(14_000))), 400, 'file_too_large', ''],
  [
    'a spreadsheet type',
    PATCH,
    { type: 'application/vnd.ms-excel', body: GOOD },
    415,
    'unsupported_media_type',
    'multipart',
  ],
  badForm('no boundary', { type: FORM, body: GOOD }, 'malformed_multipart', 'no multipart boundary'),
  badForm(
    'another boundary',
    { type: `${FORM}; boundary=b`, body: `--c\r\n${file(GOOD)}\r\n--c--` },
    'malformed_multipart',
    'not valid',
  ),
  badForm(
    'a boundary of 1,000 characters',
    { type: `${FORM}; boundary=${'b'.repeat(1_000)}`, body: GOOD },
    'malformed_multipart',
    '',
  ),
  badForm(
    'no end',
    { type: `${FORM}; boundary=b`, body: `--b\r\n${file(GOOD)}` },
    'malformed_multipart',
    'not valid',
  ),
  badForm('an empty form', { type: `${FORM}; boundary=b`, body: '--b--\r\n' }, 'file_missing', 'part "file"'),
  badForm('nothing at all', { type: `${FORM}; boundary=b`, body: '' }, 'malformed_multipart', ''),
  badForm('a part with another name', multipart(file(GOOD, 'upload')), 'unexpected_part', 'named "file"'),
  badForm('a prototype as name', multipart(file(GOOD, '__proto__')), 'unexpected_part', 'named "file"'),
  badForm('two files', multipart(file(GOOD), file(GOOD)), 'unexpected_part', 'nothing else'),
  badForm(
    'a field',
    multipart('Content-Disposition: form-data; name="file"\r\n\r\nx'),
    'unexpected_part',
    '',
  ),
  badForm('a part without headers', multipart('\r\nx'), 'malformed_multipart', ''),
  badForm('a header without end', multipart(`X: ${'y'.repeat(90_000)}`), 'malformed_multipart', ''),
  ['removing without a header', DELETE, csv('team,room\ncore,7\n'), 400, 'header_missing', 'identity'],
  [
    'removing without the accounts',
    DELETE,
    csv('email,name\na@b.org,x\n'),
    400,
    'column_missing',
    'identity',
  ],
  ['a preview of JSON', PREVIEW, { json: [] }, 415, 'unsupported_media_type', 'text/csv'],
  ['a preview of 200 KB', PREVIEW, csv('x'.repeat(200_000)), 413, 'too_large', ''],
  [
    'a preview of an unknown action',
    `${PREVIEW}?action=drop`,
    csv(GOOD),
    400,
    'invalid_query',
    'action: must be',
  ],
  [
    'a preview of a removed email',
    `${PREVIEW}?action=remove&columns=email:E`,
    csv(GOOD),
    400,
    'invalid_query',
    'columns: cannot name',
  ],
  [
    'a worklist without a column',
    WORKLIST,
    { ...multipart(file('email\na@b.org\n')), headers: { prefer: 'wait=30' } },
    400,
    'column_missing',
    'identity',
  ],
  ['a worklist of two files', WORKLIST, multipart(file(GOOD), file(GOOD)), 400, 'unexpected_part', ''],
];
