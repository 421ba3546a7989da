import { AMBIGUOUS_WORDS, MISSING_WORDS, NO_TEXT } from '../../text/missing-values.js';
import { isLostValue } from './lost-value.js';

/** What programs write for a missing value, in lower case. */
const MISSING = new Set([
  ...[...MISSING_WORDS, ...AMBIGUOUS_WORDS, '<na>', 'true', 'false'],
  ...'inf|-inf|+inf|infinity|-infinity|+infinity|∞|-∞|+∞'.split('|'),
  // Errors without their mark, which may be channels, and those of VBA.
  ...'#null|#na|#ref|#value|#name|#num|#inf|#calc|#spill|#locked'.split('|'),
  ...'error 2000|error 2007|error 2015|error 2023|error 2029|error 2036|error 2042'.split('|'),
  ...'not set|not available|not applicable|not specified|no value|no data|keine angabe|k. a.|k.a.'.split('|'),
  ...'null|nil|none|undefined|error|empty|blank|missing|unknown'
    .split('|')
    .flatMap((word) => [word, `(${word})`, `[${word}]`, `<${word}>`, `{${word}}`]),
  // The item of a pivot table for cells without a value.
  ...'leer|vide|vacío|en blanco|vuoto|vuote|vazio|leeg|puste|tom|tomt|tyhjä|prázdné|üres|boş|пусто|空白|비어 있음'
    .split('|')
    .map((word) => `(${word})`),
]);

/** The same as a first and a last name, values that are no text, as .NET, Java, JavaScript and Python write them, and templates that were not filled in. */
const PLACEHOLDER = new RegExp(
  [
    '^(?:(null|undefined|none|nan)(?:[ ._,;-]+\\1)+',
    '[-–—?.*+=_]+|\\[\\]|\\{\\}',
    NO_TEXT,
    '@\\{\\S+=.*\\}|\\$\\{[\\w .-]+\\}|\\{\\{[\\w .-]+\\}\\}|%\\w+%)$',
  ].join('|'),
  'i',
);

/** `TRUE` and `FALSE` as spreadsheets translate them. In lower case some of them are names. */
const TRUTH_VALUES = new Set(
  (
    'WAHR|FALSCH|VRAI|FAUX|VERDADERO|FALSO|VERO|VERDADEIRO|WAAR|ONWAAR|SANT|FALSKT|SAND|FALSK|SANN|USANN|TOSI|EPÄTOSI|PRAWDA|FAŁSZ|' +
    'PRAVDA|NEPRAVDA|IGAZ|HAMIS|DOĞRU|YANLIŞ|ADEVĂRAT|FALS|CERT|ИСТИНА|ЛОЖЬ|ІСТИНА|ХИБНІСТЬ|ΑΛΗΘΗΣ|ΨΕΥΔΗΣ'
  ).split('|'),
);

const MONTH =
  '(?:jan|janv|jän|ene|gen|oca|янв|feb|févr|fev|şub|фев|mar|mär|märz|mrz|mrt|mars|márc|мар|apr|avr|abr|ápr|nis|апр|may|mai|mei|maj|mag|máj|май|' +
  'jun|juin|giu|jún|haz|июн|jul|juil|lug|júl|tem|июл|aug|août|ago|ağu|авг|sep|sept|set|szept|wrz|eyl|сен|oct|okt|out|ott|paź|eki|окт|nov|kas|ноя|' +
  'dec|dez|dic|déc|des|ara|дек)';

/** What spreadsheets make of names and long numbers: `1-Mar` of `mar1`, `12345.0`, zeros after 15 digits. */
const CONVERTED = new RegExp(
  [
    `^(?:\\d{1,2}[-. /]{1,2}${MONTH}\\.?(?:[-. /]\\d{2,4})?|${MONTH}\\.?[- ]\\d\\d(?:\\d\\d)?`,
    '\\d{1,2}[月월] ?\\d{1,2}[日일]|\\d{1,2}/\\d{1,2}/\\d\\d|\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?(?: ?[ap]\\.?m\\.?)?',
    '(?:19|20)\\d\\d([-/.])\\d{1,2}\\1\\d{1,2}(?:[ T]\\d{1,2}:\\d\\d[\\d:.]*Z?)?',
    '\\d{1,2}([-/.])\\d{1,2}\\2(?:19|20)\\d\\d(?: \\d{1,2}:\\d\\d(?::\\d\\d)?(?: [ap]m)?)?',
    "\\d+[.,]0+|\\d{1,3}(?:,\\d{3})+\\.\\d+|\\d{1,3}(?:\\.\\d{3})+,\\d+|\\d{1,3}(?:,\\d{2,3})*,\\d{3}|\\d{1,3}(?:[ ']\\d{3})+|[1-9]\\d{14}0+",
    // Groups with dots, unless they may be an IP address.
    '(?!\\d{1,3}(?:\\.(?:[01]\\d\\d|2[0-5]\\d)){3}$)\\d{1,3}(?:\\.\\d{3}){2,})$',
  ].join('|'),
  'i',
);

/**
 * Text that another program should have decoded: quoted-printable (`M=C3=BCller`), percent-encoding, HTML, MIME words; letters that are
 * lost (`M?ller`); and what only starts like a formula.
 */
const ENCODED = new RegExp(
  [
    '^=|=(?:[c-f][\\da-f]=[89ab][\\da-f]|3d)|%(?:[c-f][\\da-f]%[89ab][\\da-f]|2[\\da-f]|3[a-f]|40|5[bcd]|0[9ad])|(?:%[\\da-f]{2}){2}|\\p{L}%(?:[c-f]\\d|fc|df)\\p{L}',
    '&(?:#\\d{2,6}|#x[\\da-f]{2,6}|[a-z]{2,8});|=\\?[\\w-]+\\?[qb]\\?|[\\p{L}\\d]\\?+ ?\\p{L}|^\\?+\\p{L}|\\p{L}\\?{2,}',
    // Escapes of JSON and of bytes: `M\u00fcller`, `M\xc3\xbcller`, `M\303\274ller`. A name after a domain, such as `CORP\u123456`, is none.
    '\\\\u(?:00[a-f]|0[1-6][\\da-f]{2}(?!\\d)|[\\da-f]{4}\\\\u)|\\\\x[c-f][\\da-f]|(?:\\\\[0-3][0-7]{2}){2}|\\\\3[0-7]{2}(?!\\d)|\\\\u\\{',
    // Escapes of RTF, LaTeX and quoted text, and tags of HTML.
    `\\\\["'\`^~]|\\\\$|</[a-z]+>|<br ?/?>`,
    // A letter of Windows-1252 in an address, which is in lower case.
    '\\p{L}[%=](?:df|e[\\da-f]|f[\\da-c])\\p{L}*[^@]*@',
  ].join('|'),
  'iu',
);

/** A letter of Windows-1252, or a character that an address needs, as a byte: `M=FCller`, `M%FCller`, `ada=40example.com`. `uid=fabian` is none. */
const BYTE =
  /(?:^|\p{L})(?:[%=][C-F][\dA-F](?=[\p{Ll}@.])|%[C-F][\dA-F]$|=[C-F]\d$|=(?:20|2[CE]|40|5F)(?=\p{L}))|=0[9AD](?![\dA-Za-z])|%u[\dA-F]{4}/u;

/** UTF-8 that was read as Windows-1252, Mac Roman or CP437: `MÃ¼ller`, `mã¼ller` in lower case, `M√ºller`, `M├╝ller`. */
const MISREAD =
  /[\u00c2-\u00de\u00e2-\u00fe][\u00a1-\u00bf]|[\u00c2-\u00de][€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|[√├┬]\S|¿|[A-Za-z][¤¦¨¸³¶¼½¾¬¢][A-Za-z]/;

/** 1 for the first character of what stands for a missing value: some letters, and all that is neither a letter nor a digit. */
const STARTS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[nuebmtfksji]|[^a-z\d]/i.test(String.fromCharCode(code)) ? 1 : 0,
);
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_CASE = 0x20;

/** Returns whether a text stands for a missing value. */
export function isMissing(text: string): boolean {
  return STARTS[text.charCodeAt(0)] !== 0 && (MISSING.has(text.toLowerCase()) || PLACEHOLDER.test(text));
}

/** Returns whether a text is there in place of a value, so it says nothing about a person. */
export const standsForNone = (text: string): boolean => isMissing(text) || isLostValue(text);

/** Returns whether an identity is probably not the name of an account. It may be one, so it is stored. */
export function isSuspicious(text: string): boolean {
  // An import asks this for each row, so the ends of a text decide for nearly all.
  const first = text.charCodeAt(0);
  if (isMissing(text)) return true;
  if (((first & LOWER_CASE) === 0 || first > 0x7f) && TRUTH_VALUES.has(text)) return true;
  return mayBeDate(text) && CONVERTED.test(text);
}

/** Returns whether a text starts with a digit, or ends like `-21` or `-2021`. */
function mayBeDate(text: string): boolean {
  const { length } = text;
  if (isDigit(text.charCodeAt(0))) return true;
  return (
    isDigit(text.charCodeAt(length - 1)) &&
    (isGap(text.charCodeAt(length - 3)) || isGap(text.charCodeAt(length - 5)))
  );
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

const isGap = (code: number): boolean => code === 0x2d || code === 0x20;

/** Returns whether a text was probably not decoded. It has a character beyond ASCII or one of `=%&?<\`. */
export const isEncoded = (text: string): boolean =>
  ENCODED.test(text) || BYTE.test(text) || MISREAD.test(text);
