import { parse } from '@bufbuild/cel';
import type { SourceInfo } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { type Expr, measure } from './ast.js';
import type { ExpressionError } from './expression-error.js';

/** Characters of an expression. The library's parser needs 1 µs for one, and 20 µs in nested brackets. */
export const MAX_EXPRESSION = 2_048;

/** Nodes of an expression, and their levels. Parsing, planning and evaluating call themselves for each level. */
const MAX_NODES = 1_500;
const MAX_LEVELS = 250;

/** A parsed expression, and where each of its nodes starts. */
export interface ParsedExpression {
  root: Expr;
  /** What the parser found in the source besides the nodes. */
  sourceInfo: SourceInfo;
  startOf(id: bigint | number): number;
}

/** Parses an expression. Returns all errors that can be found at once. */
export function parseExpression(
  source: string,
): { parsed: ParsedExpression } | { errors: ExpressionError[] } {
  if (source.length > MAX_EXPRESSION) {
    const message = `the expression is longer than ${MAX_EXPRESSION.toLocaleString('en-US')} characters`;
    return failure('expression_too_long', message, MAX_EXPRESSION);
  }
  if (source.trim() === '') return failure('syntax_error', 'the expression is blank', 0);
  const mistakes = scanExpression(source);
  if (mistakes.length > 0) return { errors: mistakes };
  const dangling = /(?:&&|\|\||[=!<>]=|[-+*/%<>!?:.,]|\bin)\s*$/.exec(source);
  if (dangling) {
    return failure('syntax_error', `a value is missing after ${dangling[0].trim()}`, source.trimEnd().length);
  }
  return parseWithLibrary(source);
}

const failure = (
  code: ExpressionError['code'],
  message: string,
  start: number,
): { errors: ExpressionError[] } => ({ errors: [{ code, message, start }] });

function parseWithLibrary(source: string): { parsed: ParsedExpression } | { errors: ExpressionError[] } {
  try {
    const { expr: root, sourceInfo } = parse(source);
    if (!sourceInfo) throw new Error('the parser gives no positions');
    const { nodes, depth } = measure(root, MAX_NODES);
    if (nodes > MAX_NODES || depth > MAX_LEVELS) return tooComplex();
    return { parsed: { root, sourceInfo, startOf: (id) => sourceInfo.positions[String(id)] ?? 0 } };
  } catch (error) {
    if (error instanceof RangeError) return tooComplex();
    return failure('syntax_error', ...explain(source, error));
  }
}

const tooComplex = () =>
  failure('too_complex', 'the expression has too many parts; split it into several fields', 0);

function explain(source: string, error: unknown): [message: string, start: number] {
  const { message, location }: Error & { location?: { start: { offset: number } } } =
    error instanceof Error ? error : new Error(String(error));
  const start = location?.start.offset ?? 0;
  if (!location) return [message, start];
  const word = /^(?:\w+|\S{1,2})/.exec(source.slice(start))?.[0];
  if (!word) return ['the expression ends too early', start];
  if (source[start - 1] === '.') return [`write ["${word}"] for a key with this name`, start];
  if (message.endsWith(': reserved identifier')) {
    return [`"${word}" is a reserved word; write condition ? value : other for "if"`, start];
  }
  return [`the expression cannot be read from "${word}" on`, start];
}

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
function scanExpression(source: string): ExpressionError[] {
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
  if (!match || (/[rRbB]/.test(source.charAt(at)) && /\w/.test(source[at - 1] ?? ''))) return null;
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
  const mark = source.charAt(at);
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
