const STEP = '  ';

/**
 * JSON on lines of its own, two spaces a level, each value with the very characters that it was sent with: parsing and
 * writing it again would round large numbers and drop repeated keys. Null when it is no JSON.
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

/** Whether it is one JSON document; a byte order mark in front is no part of it. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return false;
  }
}

/** Strings, punctuation, and whatever stands between them: numbers and words. White space is left out. */
const tokensOf = (text: string): string[] =>
  text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:\uFEFF]+/g) ?? [];

const withNext = (tokens: string[]): (readonly [string, string | undefined])[] =>
  tokens.map((token, place) => [token, tokens[place + 1]] as const);
