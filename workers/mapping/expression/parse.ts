import { parse } from '@bufbuild/cel';
import type { SourceInfo } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { type Expr, measure } from './ast.js';
import type { ExpressionError } from './expression-error.js';
import { scanExpression } from './scan.js';

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
    const { nodes, depth } = measure(root, MAX_NODES);
    if (nodes > MAX_NODES || depth > MAX_LEVELS) return tooComplex();
    const info = sourceInfo as SourceInfo;
    return { parsed: { root, sourceInfo: info, startOf: (id) => info.positions[String(id)] ?? 0 } };
  } catch (error) {
    if (error instanceof RangeError) return tooComplex();
    return failure('syntax_error', ...explain(source, error));
  }
}

const tooComplex = () =>
  failure('too_complex', 'the expression has too many parts; split it into several fields', 0);

interface ParserError {
  message: string;
  location?: { start: { offset: number } };
}

function explain(source: string, error: unknown): [message: string, start: number] {
  const { message, location } = error as ParserError;
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
