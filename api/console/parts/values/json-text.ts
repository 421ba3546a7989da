const STEP = '  ';

/**
 * Indents JSON by two spaces per level and keeps every value character by character: parsing and serializing it would
 * round large numbers and drop repeated keys. Returns null if the text is invalid JSON.
 */
export function indentJson(text: string): string | null {
  if (!isJson(text)) return null;
  let [out, depth] = ['', 0];
  const lineBreak = () => `\n${STEP.repeat(depth)}`;
  for (const [token, next] of withNext(tokensOf(text))) {
    if (token === '{' || token === '[') {
      const isEmpty = next === '}' || next === ']';
      depth += 1;
      out += isEmpty ? token : token + lineBreak();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      out += /[{[]$/.test(out) ? token : lineBreak() + token;
    } else if (token === ',') out += token + lineBreak();
    else out += token === ':' ? ': ' : token;
  }
  return out;
}

/** Returns whether a text is one JSON document. A leading byte order mark is ignored. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return false;
  }
}

/** Splits JSON into strings, punctuation, numbers and literals. White space is dropped. */
const tokensOf = (text: string): string[] =>
  text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:\uFEFF]+/g) ?? [];

const withNext = (tokens: string[]): (readonly [string, string | undefined])[] =>
  tokens.map((token, place) => [token, tokens[place + 1]] as const);
