import { expect, test } from '@jest/globals';
import { describeJsonError } from '../../../api/body/json/describe-json-error.js';

test.each([
  ['{"text":"line one\nline two"}', 1, 18, 'raw line break. Write it as \\n'],
  ['{\n"text":"a\tb"}', 2, 10, 'raw tab. Write it as \\t'],
  ['["a\u0001b"]', 1, 4, 'Write it as \\u0001'],
  ['{"text":"He said "hi" to me"}', 1, 18, 'write it as \\"'],
  ['{"text":""quoted""}', 1, 10, 'write it as \\"'],
  ['{"a "b":1}', 1, 6, 'A colon is missing before this, or a text before it contains a quote'],
  ['{"path":"C:\\temp\\x"}', 1, 17, 'Write a backslash as \\\\'],
  ['{"id":"g2", message: "down"}', 1, 13, 'The key `message` is not in double quotes'],
  ["{'a':1}", 1, 2, 'no single quotes'],
  ['{"a":\'b\'}', 1, 6, 'no single quotes'],
  ['{“a”:1}', 1, 2, 'typographic quote'],
  ['{"a":NaN}', 1, 6, 'no `NaN`. Write null'],
  ['{"a":-Infinity}', 1, 6, 'no `Infinity`. Write null'],
  ['{"a":None}', 1, 6, 'no `None`. Write null'],
  ['{"a":True}', 1, 6, 'no `True`. Write true'],
  ['{"a":down}', 1, 6, 'A text is not in double quotes'],
  ['{"a":1,}', 1, 8, 'Remove the comma before this'],
  ['[1,2,\n]', 2, 1, 'Remove the comma before this'],
  ['{"a":,"b":1}', 1, 6, 'A value is missing before this'],
  ['{"a":}', 1, 6, 'A value is missing before this'],
  ['{"a":1 "b":2}', 1, 8, 'A comma is missing'],
  ['["a" "b"]', 1, 6, 'A comma is missing'],
  ['{"at":2026-01-01}', 1, 11, 'A comma is missing before this, or a text is not in double quotes'],
  ['{"a":.5}', 1, 6, 'not a number of JSON'],
  ['// note\n{}', 1, 1, 'no comments'],
  ['{}{}', 1, 3, 'Send one document, or several as an array'],
  ['{"a":1}\n{"a":2}\n', 2, 1, 'NDJSON'],
  ['{"a":1};', 1, 8, 'Remove this semicolon'],
  ['{"a":1}}', 1, 8, 'Remove this bracket'],
  ['{"a":1;"b":2}', 1, 7, 'Write a comma in place of `;`'],
  ['{"a"=>1}', 1, 5, 'Write a colon in place of `=>`'],
  ['{"a":1,5}', 1, 8, 'with a decimal point rather than a comma'],
  ['{"a":1,,"b":2}', 1, 8, 'Remove this comma'],
  ['[,1]', 1, 2, 'Remove this comma'],
  ['{"a":[1}', 1, 8, 'A ] is missing before this'],
  ['[{"a":"b"]', 1, 10, 'A } is missing before this'],
  ['{"a":\u00a01}', 1, 6, 'a special space or an invisible character (U+00A0)'],
  ['{\u200b"a":1}', 1, 2, '(U+200B)'],
  ['{"a":1}\u00a0', 1, 8, '(U+00A0)'],
  ['\n\ufeff{"a":1}', 2, 1, 'a byte order mark (U+FEFF)'],
  ['{&quot;a&quot;:1}', 1, 2, 'escaped for HTML'],
  ["{'a': True}", 1, 2, 'json.dumps'],
  ['<alert/>', 1, 1, 'XML or HTML'],
  ['{{message}}', 1, 2, 'was not replaced'],
  [
    '{"path":"D:\\"}',
    1,
    12,
    'escapes the quote at the end of a text. Write a backslash as \\\\. The text starts at line 1, column 9.',
  ],
  ['{"path":"D:\\","b":"x"}', 1, 12, 'escapes the quote at the end'],
  ['{"a":["D:\\"],\n"b":1}', 1, 10, 'escapes the quote at the end'],
  ['{"title":"x, "c":1}', 1, 14, 'the end quote before it is missing. The text starts at line 1, column 10.'],
  ['{"title":"x,\n"b":1}', 1, 13, 'add the missing quote at its end. The text starts at line 1, column 10.'],
  ['{"a":"x”}', 1, 8, 'typographic quote ends no text'],
  ['{"a":"it\\\'s"}', 1, 9, "Write ' without the backslash"],
  ['{"a":"\\x41"}', 1, 7, 'Write \\u0041'],
  ['{"a":"\\u12"}', 1, 7, 'four hexadecimal digits'],
  ['{\\"title\\":\\"x\\"}', 1, 2, 'escaped once too often'],
  ['{"a":\\"x\\"}', 1, 6, 'escaped once too often'],
  ['{\\n"a":1}', 1, 2, 'escaped once too often'],
  ['{"a":007}', 1, 6, '`007` is not a number of JSON: it has leading zeros'],
  ['[-01]', 1, 2, '`-01` is not a number of JSON: it has leading zeros'],
  ['007', 1, 1, 'leading zeros'],
  ['{"a":0x1F}', 1, 6, '`0x1F` is not a number of JSON: it is hexadecimal'],
  ['{"a":0b11}', 1, 6, 'octal or binary'],
  ['{"a":+1}', 1, 6, 'plus sign'],
  ['{"a":-.5}', 1, 6, 'digit before its decimal point'],
  ['{"a":1.}', 1, 6, 'digit after its decimal point'],
  ['{"a":1.e5}', 1, 6, 'digit after its decimal point'],
  ['{"a":1_000}', 1, 6, 'underscores'],
  ['{"a":1e}', 1, 6, 'exponent'],
  ['{"a":1} # note', 1, 9, 'no comments'],
  ['# note\n{"a":1}', 1, 1, 'no comments'],
  ['{"a":1, // note\n"b":2}', 1, 9, 'no comments'],
  ['{"a":%VALUE%}', 1, 6, '`%VALUE%` seems to be a placeholder'],
  ['{"a":$VALUE}', 1, 6, '`$VALUE` seems to be a placeholder'],
  ['{"a":$' + '{VALUE}}', 1, 6, '{VALUE}` seems to be a placeholder'],
  ['{"a":%s}', 1, 6, '`%s` seems to be a placeholder'],
  ['{"a":<no value>}', 1, 6, '`<no value>` seems to be a placeholder'],
  ['{"a":{ITEM.VALUE}}', 1, 7, '`{ITEM.VALUE}` seems to be a placeholder'],
  ['{"a":{{value}}}', 1, 7, 'was not replaced'],
  ['{"a":`b`}', 1, 6, 'no backticks'],
  [')]}\'\n{"a":1}', 1, 1, "Remove the prefix `)]}'`"],
  ['callback({"a":1})', 1, 1, 'no function calls. Write only the value that is in `callback(…)`'],
  ['{"a":ISODate("2026-01-01")}', 1, 6, 'no function calls'],
  ['{"a":nan}', 1, 6, 'no `nan`. Write null'],
  ['{"a":+inf}', 1, 6, 'no `inf`. Write null'],
  ['{"a":undefined}', 1, 6, 'no `undefined`. Write null'],
  ['{"a":False}', 1, 6, 'no `False`. Write false'],
  ['None', 1, 1, 'no `None`. Write null'],
  ['b\'{"a":1}\'', 1, 1, 'json.dumps'],
  ['[object Object]', 1, 2, 'JSON.stringify'],
  ['{1:2}', 1, 2, 'The key `1` is not in double quotes'],
  ['{"a":(1,2)}', 1, 6, 'no parentheses'],
  ['{"a":1, ...}', 1, 9, 'left out'],
  ['title: x', 1, 1, 'YAML'],
  ['eyJhIjoxLCJiIjoyfQ==', 1, 1, 'base64'],
  ['%7B%22a%22%3A1%7D', 1, 1, 'escaped for a URL'],
  ['ï»¿{"a":1}', 1, 1, 'encoded twice'],
  ['<!DOCTYPE html><p>502', 1, 1, 'XML or HTML'],
  ['{"a":1}<br>', 1, 8, 'XML or HTML'],
  ['{"a":\0}', 1, 6, 'a NUL byte'],
  ['{"é🔥":x}', 1, 8, 'A text is not'],
])('%j: syntax error at line %d, column %d: %s', (text, line, column, cause) => {
  const message = describeJsonError(text);
  expect(message).toContain(`is not valid JSON: syntax error at line ${line}, column ${column}. `);
  expect(message).toContain(cause);
});

test.each([['{"a":1'], ['{"a":"b"'], ['{"a"'], [''], ['[1,']])('%j ends early', (text) =>
  expect(describeJsonError(text)).toBe(
    'The body is not valid JSON: it ends before the document is complete.',
  ),
);

test.each([
  ['{"title":"x}', 1, 10],
  ['["\\', 1, 2],
  ['{"a":1,\n"b', 2, 1],
  ['{"payload":"{\\"a\\":\\"b\\"}', 1, 12],
  ['["\\\\', 1, 2],
])('%j ends in the text that starts at line %d, column %d', (text, line, column) =>
  expect(describeJsonError(text)).toBe(
    `The body is not valid JSON: it ends before the document is complete. The text starts at line ${line}, column ${column} and has no end quote.`,
  ),
);

test('a fault whose cause cannot be seen has its place only', () => {
  expect(describeJsonError('[}')).toBe('The body is not valid JSON: syntax error at line 1, column 2.');
});

test('places count from where the text starts in what was sent', () => {
  expect(describeJsonError('{"a":x}', { line: 3, column: 5 })).toContain('line 3, column 10.');
  expect(describeJsonError('{"a":\nx}', { line: 3, column: 5 })).toContain('line 4, column 1.');
});
