/** What no response may contain, because it describes the inside of the server. */
const INTERNALS: readonly [what: string, pattern: RegExp][] = [
  ['a stack trace', /\bat [^\n"]{0,200}\.[cm]?[jt]s:\d+/],
  ['a path of the server', /node_modules|\/dist\/|file:\/\/|\/tmp\//],
  ['SQL', /\b(?:select \*|insert into|update `|delete from|where `|order by `|ER_[A-Z]+|sqlState)/i],
  [
    'an error of the runtime',
    /\b(?:ECONN|ENOENT|EPIPE|ERR_[A-Z]+|TypeError|RangeError|SyntaxError|ZodError)/,
  ],
  [
    'words of JSON.parse',
    /Unexpected (?:token|end|non-whitespace)|in JSON at position|is not valid JSON:? "/,
  ],
  ['words of a script', /Cannot read propert|(?<!") is not a function|is not iterable|undefined \(reading/],
  ['words of a regular expression engine', /Invalid regular expression|error parsing regexp/],
  ['words of the multipart parser', /Multipart: |busboy|Multer|LIMIT_[A-Z]+|Unexpected field|Malformed part/],
  ['words of a decompressor', /incorrect header check|invalid stored block|Z_[A-Z]+_ERROR|zlib/i],
  ['words of the schema library', /\bZod|Invalid input: expected|Unrecognized key/],
  ['the name of a library', /\b(?:knex|mysql2|ioredis|bullmq|lossless-json|iconv)\b/i],
  ['a value that was not converted', /\[object \w+\]/],
];

/** Returns what a response reveals about the inside of the server. */
export const leaksIn = (text: string): string[] =>
  INTERNALS.filter(([, pattern]) => pattern.test(text)).map(
    ([what, pattern]) => `${what}: ${pattern.exec(text)?.[0]}`,
  );
