import type { ExpressionError } from './expression-error.js';

/** How deep brackets may be nested. The time of the parser grows with the square of the depth. */
const MAX_BRACKETS = 24;

/** Matches a text literal from its first quote to its last, or to the end of the expression if it is not closed. */
const TEXT = /(?<raw>[rRbB]{0,2})(?<quote>"""|'''|"|')/y;

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** What is not CEL but often written by mistake, and what to write instead. */
const MISTAKES: readonly [RegExp, string][] = [
  [/\{\{/y, 'an expression has no tags; write webhook.path without {{ and }}'],
  [/[!=]==/y, 'write == or !='],
  [/(?<![=!<>])=(?!=)/y, 'write == to compare'],
  [/(?<!&)&(?!&)/y, 'write && for "and"'],
  [/(?<!\|)\|(?!\|)/y, 'write || for "or", or first(a, b) for the first that has a value'],
  [/\?[.[]/y, 'optional values are not supported; write has(a.b) ? a.b : c, or first(a.b, c)'],
  [/\$/y, 'names do not start with $; write webhook.path'],
  [/(?<=[\w)\]"'] )(?:and|or)(?= )/y, 'write && for "and" and || for "or"'],
];

interface Bracket {
  mark: string;
  start: number;
}

/**
 * Finds unclosed brackets and quotes and common mistakes, all at once. The library's parser reports only where it stopped, which
 * is often long before the mistake.
 */
export function scanExpression(source: string): ExpressionError[] {
  const errors: ExpressionError[] = [];
  const open: Bracket[] = [];
  const fail = (start: number, message: string) => errors.push({ code: 'syntax_error', message, start });
  for (let at = 0; at < source.length; ) {
    const end = endOfText(source, at) ?? endOfComment(source, at);
    if (end === -1) {
      fail(at, 'the text is not closed; add a quote');
      return errors;
    }
    if (end !== null) {
      at = end;
      continue;
    }
    const [length, message] = mistakeAt(source, at) ?? [1, null];
    if (message !== null) fail(at, message);
    else if (!trackBracket(source, at, open, fail)) return errors;
    at += length;
  }
  for (const { mark, start } of open) fail(start, `${mark} is not closed; add ${CLOSING[mark]}`);
  return errors;
}

/** Returns the end of the text literal that starts here, -1 if it is not closed, or null if none starts here. */
function endOfText(source: string, at: number): number | null {
  TEXT.lastIndex = at;
  const match = TEXT.exec(source);
  if (!match || (/[rRbB]/.test(source[at] as string) && /\w/.test(source[at - 1] ?? ''))) return null;
  const { raw = '', quote = '"' } = match.groups ?? {};
  const escapes = !/r/i.test(raw);
  for (let end = at + match[0].length; end < source.length; end++) {
    if (escapes && source[end] === '\\') end += 1;
    else if (source.startsWith(quote, end)) return end + quote.length;
    else if (source[end] === '\n' && quote.length === 1) return -1;
  }
  return -1;
}

function endOfComment(source: string, at: number): number | null {
  if (!source.startsWith('//', at)) return null;
  const end = source.indexOf('\n', at);
  return end === -1 ? source.length : end;
}

function mistakeAt(source: string, at: number): [length: number, message: string] | null {
  for (const [pattern, message] of MISTAKES) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) return [found[0].length, message];
  }
  return null;
}

/** Returns false if nothing after this bracket can be judged. */
function trackBracket(
  source: string,
  at: number,
  open: Bracket[],
  fail: (start: number, message: string) => void,
): boolean {
  const mark = source[at] as string;
  if (mark in CLOSING) {
    open.push({ mark, start: at });
    if (open.length > MAX_BRACKETS) fail(at, `brackets are nested more than ${MAX_BRACKETS} deep`);
    return open.length <= MAX_BRACKETS;
  }
  if (!Object.values(CLOSING).includes(mark)) return true;
  const last = open.pop();
  if (last && CLOSING[last.mark] === mark) return true;
  fail(at, last ? `write ${CLOSING[last.mark]} before ${mark}` : `${mark} closes a bracket that is not open`);
  return false;
}
