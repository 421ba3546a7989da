import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkEmail, checkIdentity } from '../../../workers/identities/record/identity-record.js';
import { checkIntegrationId, parseIntegrationId } from '../../../workers/identities/record/integration-id.js';
import { cases } from '../../support/effort.js';

/** Returns a value for a test name: ASCII, and at most one line. */
const shown = (raw: unknown): string =>
  String(JSON.stringify(raw))
    .replace(/[^ -~]/gu, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`)
    .slice(0, 60);

const named = (rows: [raw: unknown, code: string][]) =>
  rows.map(([raw, expected]) => ({ raw, expected, name: shown(raw) }));

const code = (checked: unknown) => (checked as { code: string }).code;
const message = (checked: unknown) => (checked as { message: string }).message;

const LABEL = 'b'.repeat(63);
const LONGEST = `${'a'.repeat(64)}@${LABEL}.${LABEL}.${'c'.repeat(61)}`;

describe('email', () => {
  test.each([
    ['plain', 'jane@example.com', 'jane@example.com'],
    ['trimmed and lower-cased', ' Jane.DOE@Example.COM\t', 'jane.doe@example.com'],
    ['Unicode white space trimmed', '\u00a0\u3000jane@example.com\ufeff', 'jane@example.com'],
    ['composed', 'jose\u0301@example.com', 'jos\u00e9@example.com'],
    ['lower-cased beyond ASCII', 'ÉLISE@EXAMPLE.COM', 'élise@example.com'],
    ['without a dot in its domain', 'root@localhost', 'root@localhost'],
    ['with an apostrophe in its name', "o'hara@example.com", "o'hara@example.com"],
    ['with brackets, as of a bot', '12+x[bot]@users.example.com', '12+x[bot]@users.example.com'],
    ['with a name in quotes', '"jane..doe"@example.com', '"jane..doe"@example.com'],
    ['with an address of a host', 'ada@[10.0.0.1]', 'ada@[10.0.0.1]'],
    ['with a slash in its name', 'ops/eu=a@example.com', 'ops/eu=a@example.com'],
    ['as long as can be', LONGEST, LONGEST],
    ['as long as can be, counted in code points', `${'😀'.repeat(64)}@b.c`, `${'😀'.repeat(64)}@b.c`],
  ])('is kept: %s', (_, raw, value) => expect(checkEmail(raw)).toBe(value));

  test.each(
    named([
      [undefined, 'email_missing'],
      [null, 'email_missing'],
      ['', 'email_missing'],
      [' \u3000', 'email_missing'],
      [42, 'email_not_a_string'],
      [['a@b.c'], 'email_not_a_string'],
      ['jane', 'email_invalid'],
      ['@example.com', 'email_invalid'],
      ['jane@', 'email_invalid'],
      ['jane@doe@example.com', 'email_invalid'],
      ['jane doe@example.com', 'email_invalid'],
      ['jane@exam\u00a0ple.com', 'email_invalid'],
      ['Jane <jane@example.com>', 'email_invalid'],
      ["'jane@example.com'", 'email_invalid'],
      ['"jane@example.com"', 'email_invalid'],
      ['<jane@example.com>', 'email_invalid'],
      ['jane@example.com;', 'email_invalid'],
      ['jane@example.com,joe', 'email_invalid'],
      ['jane;joe@example.com', 'email_invalid'],
      ['jane\u037e@example.com', 'email_invalid'],
      ['mailto:jane@example.com', 'email_invalid'],
      ['MAILTO:jane@example.com', 'email_invalid'],
      ['smtp:jane@example.com', 'email_invalid'],
      ['https://example.com/@jane', 'email_invalid'],
      ['jane@\u2003example.com', 'email_invalid'],
      ['.jane@example.com', 'email_invalid'],
      ['jane.@example.com', 'email_invalid'],
      ['jane..doe@example.com', 'email_invalid'],
      ['jane@example..com', 'email_invalid'],
      ['jane@.example.com', 'email_invalid'],
      ['jane@example.com.', 'email_invalid'],
      ['josé..b@example.com', 'email_invalid'],
      ['jane\\doe@example.com', 'email_invalid'],
      ['josé\\b@example.com', 'email_invalid'],
      ['jane(work)@example.com', 'email_invalid'],
      ['"jane@example.com', 'email_invalid'],
      ['ja"ne@example.com', 'email_invalid'],
      ['"jane"@example..com', 'email_invalid'],
      ['jane@exam!ple.com', 'email_invalid'],
      ['jane@-example.com', 'email_invalid'],
      ['jane@example-.com', 'email_invalid'],
      ['jane@mail.-example.com', 'email_invalid'],
      ['jane@müller-.example.com', 'email_invalid'],
      ['jane@example.com-', 'email_invalid'],
      [`jane@${'b'.repeat(64)}.com`, 'email_invalid'],
      [`jane@mail.${'é'.repeat(64)}`, 'email_invalid'],
      [`${'a'.repeat(65)}@b.c`, 'email_invalid'],
      [`"${'a'.repeat(63)}"@b.c`, 'email_invalid'],
      ['#N/A', 'email_damaged'],
      ['\ufeffjane@example.com', 'email_forbidden_character'],
      ['\u2028jane@example.com', 'email_forbidden_character'],
      [' \ufeffjane@example.com', 'email_forbidden_character'],
      ['ja\u2800ne@example.com', 'email_forbidden_character'],
      ['ja\ufdd0ne@example.com', 'email_forbidden_character'],
      ['jane@example.com\u0000', 'email_forbidden_character'],
      ['jane\n@example.com', 'email_forbidden_character'],
      ['ja\u200bne@example.com', 'email_forbidden_character'],
      ['jane@example\ufffd.com', 'email_forbidden_character'],
      [`${LONGEST}d`, 'email_too_long'],
      [`${'A'.repeat(100_000)}@b.c`, 'email_too_long'],
    ]),
  )('$name is rejected: $expected', ({ raw, expected }) => expect(code(checkEmail(raw))).toBe(expected));
});

describe('identity', () => {
  test.each([
    ['case and leading zeros kept', '00Abc', '00Abc'],
    ['trimmed', '\t Jane Doe \u00a0', 'Jane Doe'],
    ['composed', 'Zoe\u0308', 'Zo\u00eb'],
    ['a quote, a comma, an apostrophe', `a"b,c'd`, `a"b,c'd`],
    ['starting like a formula', '=1+1', '=1+1'],
    ['an emoji of one code point', '😀', '😀'],
    ['255 code points', '😀'.repeat(255), '😀'.repeat(255)],
    ['255 only once composed', 'e\u0301'.repeat(255), '\u00e9'.repeat(255)],
  ])('is kept: %s', (_, raw, value) => expect(checkIdentity(raw)).toBe(value));

  test.each(
    named([
      [undefined, 'identity_missing'],
      ['  ', 'identity_missing'],
      [42, 'identity_not_a_string'],
      [true, 'identity_not_a_string'],
      [{}, 'identity_not_a_string'],
      ['a'.repeat(256), 'identity_too_long'],
      ['😀'.repeat(256), 'identity_too_long'],
      ['a\tb', 'identity_forbidden_character'],
      ['a\u0085b', 'identity_forbidden_character'],
      ['a\u2028b', 'identity_forbidden_character'],
      ['a\ud83d', 'identity_forbidden_character'],
      ['\ude00a', 'identity_forbidden_character'],
      ['a\ufffd', 'identity_forbidden_character'],
      ['a\u00adb', 'identity_forbidden_character'],
      ['a\u061cb', 'identity_forbidden_character'],
      ['a\u180eb', 'identity_forbidden_character'],
      ['a\u200db', 'identity_forbidden_character'],
      ['a\u200eb', 'identity_forbidden_character'],
      ['a\u202eb', 'identity_forbidden_character'],
      ['a\u2066b', 'identity_forbidden_character'],
      ['a\ufeffb', 'identity_forbidden_character'],
      ['❤\ufe0f', 'identity_forbidden_character'],
      ['👩\u200d💻', 'identity_forbidden_character'],
      ['a\u{e0041}', 'identity_forbidden_character'],
      ...[0xa0, 0x1680, 0x2000, 0x200a, 0x202f, 0x205f, 0x3000, 0x2800, 0xfdd0, 0xfffe, 0x10ffff].map(
        (point): [string, string] => [`a${String.fromCodePoint(point)}b`, 'identity_forbidden_character'],
      ),
      ['\ufeffa', 'identity_forbidden_character'],
      ['\u2028a', 'identity_forbidden_character'],
      ['\u2029a', 'identity_forbidden_character'],
      ['\u2800', 'identity_forbidden_character'],
    ]),
  )('$name is rejected: $expected', ({ raw, expected }) => expect(code(checkIdentity(raw))).toBe(expected));
});

describe('integrationId', () => {
  test.each([[1], [17], [Number.MAX_SAFE_INTEGER]])('%d is kept, from JSON and CSV', (value) => {
    expect(checkIntegrationId(value)).toBe(value);
    expect(parseIntegrationId(String(value))).toBe(value);
  });

  test.each([' 5', '5 ', '5\n', '\u00a05\u2009', "'5", '="5"', ' ="5"'])('%j in a CSV cell is 5', (cell) =>
    expect(parseIntegrationId(cell)).toBe(5),
  );

  test.each([
    [undefined, 'integration_id_missing'],
    [null, 'integration_id_missing'],
    ['17', 'integration_id_invalid'],
    [true, 'integration_id_invalid'],
    [0, 'integration_id_invalid'],
    [-1, 'integration_id_invalid'],
    [1.5, 'integration_id_invalid'],
    [2 ** 53, 'integration_id_invalid'],
    [Number.NaN, 'integration_id_invalid'],
    [Number.POSITIVE_INFINITY, 'integration_id_invalid'],
  ])('%p is rejected in JSON: %s', (raw, expected) => expect(code(checkIntegrationId(raw))).toBe(expected));

  test.each([
    ['', 'integration_id_missing'],
    [' ', 'integration_id_missing'],
    ...['0', '007', '+5', '-5', '1e3', '1.0', '1,000', '0x10', '5 000', '٣', '1_000', 'Infinity'].map(
      (cell) => [cell, 'integration_id_invalid'] as [string, string],
    ),
    ['9007199254740992', 'integration_id_invalid'],
    ['9'.repeat(16), 'integration_id_invalid'],
    ['9'.repeat(40), 'integration_id_invalid'],
  ])('%j is rejected in a CSV cell: %s', (cell, expected) => {
    expect(code(parseIntegrationId(cell))).toBe(expected);
  });
});

test('each message describes the exact error', () => {
  expect(message(checkIdentity(7))).toBe(
    'must be a string, not a number. Put it in quotes, so that leading zeros are kept',
  );
  expect(message(checkIdentity([]))).toBe('must be a string, not an array');
  expect(message(checkIdentity('ab\u200b'))).toBe(
    'must not contain the invisible character U+200B (character 3)',
  );
  expect(message(checkIdentity('😀\u0007x'))).toBe(
    'must not contain the control character U+0007 (character 2)',
  );
  expect(message(checkIdentity('a\ud83d!'))).toBe(
    'must not contain half of a surrogate pair, U+D83D (character 2)',
  );
  expect(message(checkIdentity('x'.repeat(300)))).toBe('must have at most 255 characters, but has 300');
  expect(message(checkIdentity(null))).toBe('is required');
  expect(message(checkIdentity(' '))).toBe('must not be empty');
  expect(message(checkIdentity('Jane\u00a0Doe'))).toBe(
    'must not contain a character that looks like a space, U+00A0 (character 5)',
  );
  expect(message(checkIdentity('a\ufffe'))).toBe('must not contain the noncharacter U+FFFE (character 2)');
  expect(message(checkEmail('mailto:a@b.c'))).toMatch(/^must be a single email address such as/);
  expect(message(parseIntegrationId('0'))).toBe('must be 1 or greater');
  expect(message(parseIntegrationId('1e3'))).toMatch(/^must be an integer in plain digits/);
  expect(message(parseIntegrationId('9007199254740992'))).toMatch(/^must be at most 9007199254740991/);
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom('a', 'Σ', 'İ', ' ', '\u0301', '\u2000', '\ufeff', '@', '\ud800') }),
);

test('checking a checked value changes nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const identity = checkIdentity(text);
      if (typeof identity === 'string') expect(checkIdentity(identity)).toBe(identity);
      const email = checkEmail(`${text}@${text.replaceAll('@', '')}`);
      if (typeof email === 'string') expect(checkEmail(email)).toBe(email);
    }),
    { numRuns: cases(300) },
  );
});

/** Beyond the second plane no character changes its case, or is made of others (Unicode 15.1). */
test('for every code point, checking twice gives the same as checking once', () => {
  const isStable = (check: (raw: unknown) => unknown, text: string) => {
    const checked = check(text);
    return typeof checked !== 'string' || check(checked) === checked;
  };
  for (let point = 0; point < 0x30000; point++) {
    const text = `${String.fromCodePoint(point)}\u0301`;
    if (!isStable(checkEmail, `${text}@b`) || !isStable(checkIdentity, text)) {
      throw new Error(`U+${point.toString(16)}`);
    }
  }
});

test('the only white space that an identity may contain is U+0020', () => {
  for (let point = 0; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point);
    if (point === 0x20 || !/\p{White_Space}/u.test(character)) continue;
    expect(code(checkIdentity(`a${character}b`))).toBe('identity_forbidden_character');
  }
});

test('the plain ASCII path and the full path give the same result', () => {
  const ascii = fc.string({ unit: 'binary-ascii', maxLength: 260 });
  fc.assert(
    fc.property(ascii, (text) => {
      // The Kelvin sign and the Greek question mark are not plain, and normalize to k and ;.
      expect(checkIdentity(`${text}K`)).toEqual(checkIdentity(`${text}\u212a`));
      // A message quotes the text as it was sent.
      const full = JSON.stringify(checkEmail(`${text}@\u212a`)).replaceAll('\u212a', 'k');
      expect(JSON.stringify(checkEmail(`${text}@k`))).toBe(full);
    }),
    { numRuns: cases(300) },
  );
});
