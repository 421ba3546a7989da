/** One way in which texts are not JSON: how they continue at the fault, and what to write instead. */
export interface Cause {
  /** How the text continues. */
  rest: RegExp;
  /** What is before it, without spaces: one character, or '' at the start of the document. */
  after?: RegExp;
  /** May use what `rest` matched. */
  says: string | ((found: string) => string);
}

/** Writes a table whose causes have no condition but how the text continues. */
const table = (rows: readonly [rest: RegExp, says: Cause['says']][]): readonly Cause[] =>
  rows.map(([rest, says]) => ({ rest, says }));

const hex = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(4, '0');

export const IN_STRING: readonly Cause[] = table([
  [/^[\n\r]/, 'A text contains a raw line break. Write it as \\n, or add the missing quote at its end.'],
  [/^\t/, 'A text contains a raw tab. Write it as \\t.'],
  [/^[^\\]/, (unit) => `A text contains a raw control character. Write it as \\u${hex(unit)}.`],
  [/^\\'/, "JSON does not escape single quotes. Write ' without the backslash."],
  [/^\\x[\da-f]{2}/i, (found) => `JSON has no \\x escapes. Write \\u00${found.slice(2)}.`],
  [/^\\u/, 'After \\u there must be four hexadecimal digits. Write a backslash as \\\\.'],
  [/^\\/, 'This backslash begins no escape of JSON. Write a backslash as \\\\.'],
]);

const number = (why: string) => (found: string) => `\`${found}\` is not a number of JSON: ${why}.`;

/** What looks like a number, as a whole. */
export const NUMBERS: readonly Cause[] = table([
  [/^[+-]?0x[\da-f]+$/i, number('it is hexadecimal. Write it in decimal, or as a text in double quotes')],
  [/^[+-]?0[ob]\d+$/i, number('it is octal or binary. Write it in decimal, or as a text in double quotes')],
  [
    /^[+-]?0\d[^:]{0,100}$/,
    number('it has leading zeros. Remove them, or write it as a text in double quotes'),
  ],
  [/^\+[\d.].{0,100}$/, number('it has a plus sign. Remove it')],
  [/^-?\.\d.{0,100}$/, number('there must be a digit before its decimal point, as in 0.5')],
  [/^-?\d+\.(?!\d).{0,100}$/, number('there must be a digit after its decimal point, as in 1.0')],
  [/^-?\d+(?:_\d+)+$/, number('it has underscores. Remove them')],
  [/^-?\d+(?:\.\d+)?e[+-]?$/i, number('its exponent is missing')],
]);

const placeholder = (found: string): string =>
  `\`${found}\` seems to be a placeholder that was not replaced. Replace it, and write texts in double quotes.`;
const MARKUP = 'This is XML or HTML rather than JSON.';
const VALUE = /^[:[,]$/;
const START = /^$/;

/** What JSON has nowhere outside texts, and what is missing between marks. */
export const ANYWHERE: readonly Cause[] = [
  {
    after: /^,$/,
    rest: /^[}\]]/,
    says: 'Remove the comma before this: the last entry must not be followed by one.',
  },
  { after: /^[,[{]$/, rest: /^,/, says: 'Remove this comma: an entry is missing before it.' },
  {
    after: /^:$/,
    rest: /^[,}\]]/,
    says: 'A value is missing before this. Write null, or "" for an empty text.',
  },
  { after: VALUE, rest: /^<[^<>]{1,40}>/, says: placeholder },
  { after: VALUE, rest: /^\$(?:\{[^}]{0,40}\}?|\([^)]{0,40}\)?|[\w.]{1,40})/, says: placeholder },
  {
    after: /^[:[,]?$/,
    rest: /^[bu]r?['"]/,
    says: (found) => `Remove the \`${found.slice(0, -1)}\` before the quote; in Python, use json.dumps.`,
  },
  { after: START, rest: /^\)\]\}'?,?/, says: (found) => `Remove the prefix \`${found}\` from the document.` },
  { after: START, rest: /^ï»¿/, says: 'This is a byte order mark that was encoded twice. Remove it.' },
  {
    after: START,
    rest: /^[\w-]{1,40}:(?:\s|$)/,
    says: 'This looks like YAML rather than JSON. Send the document as JSON.',
  },
  {
    after: START,
    rest: /^(?:eyJ|W3si)[\w+/=-]{8}/,
    says: 'This looks like base64. Send the document as it is before the encoding.',
  },
  {
    after: /^\[$/,
    rest: /^object \w+\]/,
    says: 'This is how JavaScript shows an object. Convert the object with JSON.stringify.',
  },
  ...table([
    [
      /^%(?:7b|5b|22)/i,
      'This is escaped for a URL. Send the document without escapes such as %7B, or in a field of a form.',
    ],
    [/^(?:%(?:[\w.:-]{1,40}%|\w)|#\{[^}]{0,40}\}?|@[\w.]{1,40}@)/, placeholder],
    [/^'/, 'JSON has no single quotes. Write keys and texts in double quotes; in Python, use json.dumps.'],
    [/^`/, 'JSON has no backticks. Write keys and texts in double quotes (").'],
    [/^[“”„‟″＂«»‘’‚´]/, 'This is a typographic quote. Write keys and texts in double quotes (").'],
    [
      /^&(?:quot|apos|amp|lt|gt|#\w{1,8});/i,
      'This is escaped for HTML. Send the document without escapes such as &quot;.',
    ],
    [
      /^\\+["nrt{[]/,
      'This backslash is outside of a text: the document is escaped once too often. Send it without these escapes.',
    ],
    [/^\\/, 'This backslash is outside of a text. Remove it.'],
    [/^(?:\/[/*]|#)/, 'JSON has no comments. Remove it.'],
    [/^(?:\.\.\.|…)/, 'This seems to stand for content that was left out. Send the complete document.'],
    [/^\(/, 'JSON has no parentheses. Write a list in [ and ].'],
    [/^</, MARKUP],
    [/^\0/, 'This is a NUL byte, which text does not have. Send JSON as UTF-8.'],
  ]),
];

/** Where a key must be. */
export const KEYS: readonly Cause[] = [
  { after: /^\{$/, rest: /^[\w.#-]{1,40}\}/, says: (found) => placeholder(`{${found}`) },
  ...table([
    [/^[A-Za-z_$][\w$.-]{0,39}/, (word) => `The key \`${word}\` is not in double quotes.`],
    [/^[-\d][\w.-]*(?=\s*:)/, (found) => `The key \`${found}\` is not in double quotes.`],
    [
      /^[-\d]/,
      'Write numbers with a decimal point rather than a comma. If this is another value, it needs a key.',
    ],
    [/^\{/, 'If this is a variable of a template, such as {{name}}, it was not replaced.'],
  ]),
];

const instead = (value: string) => (found: string) =>
  `JSON has no \`${found.replace(/^[+-]/, '')}\`. Write ${value}, or a text in double quotes.`;

/** Where a value must be. */
export const VALUES: readonly Cause[] = table([
  [
    /^(?:new\s+)?[A-Za-z_$][\w$.]{0,39}\s*\(/,
    (found) => `JSON has no function calls. Write only the value that is in \`${found}…)\`.`,
  ],
  [/^[+-]?(?:nan|inf(?:inity)?|undefined|none|nil|null|n\/a)(?![\w$.-])/i, instead('null')],
  [/^(?:true|yes|on)(?![\w$.-])/i, instead('true')],
  [/^(?:false|no|off)(?![\w$.-])/i, instead('false')],
  [/^[+.\d-]/, 'This is not a number of JSON, which are written like -1, 0.5 and 1e9.'],
  [/^[A-Za-z_$]/, 'A text is not in double quotes.'],
]);

/** Where the document has ended. */
export const AFTER_DOCUMENT: readonly Cause[] = table([
  [/^;/, 'Remove this semicolon: the document ends before it.'],
  [/^[}\]]/, 'Remove this bracket: all brackets are closed before it.'],
  [
    /^/,
    'The document ends before this. Send one document, or several as an array; NDJSON has one in each line.',
  ],
]);
