import type { CompiledField } from '../definition/compile.js';
import { type MappingError, positionAt } from '../definition/mapping-error.js';
import {
  type CompiledExpression,
  compileError,
  compileExpression,
  type ExpressionError,
  PatternBudget,
} from '../expression/index.js';
import type { TemplateError } from '../template/tags.js';
import { compileTemplate } from '../template/template.js';

/** A condition over the alert and the transition of a message. */
export type MessageFilter = CompiledExpression;

/** How a body is drawn: a template, or an expression. */
export interface BodySource {
  contentType: 'application/json' | 'text/plain';
  template?: string | undefined;
  expression?: string | undefined;
}

export interface CompiledBody {
  isJson: boolean;
  field: CompiledField;
}

/**
 * Compiles a filter.
 * @param isStored whether it was saved earlier: limits that are newer than it do not apply
 */
export function compileFilter(
  source: string,
  isStored = false,
): { filter: MessageFilter } | { errors: MappingError[] } {
  const result = compileExpression(source, { ...optionsOf(isStored), result: 'bool' });
  return 'expression' in result
    ? { filter: result.expression }
    : { errors: placed('filter', source, result.errors) };
}

/** Compiles what draws a body. See {@link compileFilter} for `isStored`. */
export function compileBody(
  { contentType, template, expression }: BodySource,
  isStored = false,
): { body: CompiledBody } | { errors: MappingError[] } {
  const isJson = contentType === 'application/json';
  const bodyOf = (part: Pick<CompiledField, 'template' | 'expression'>) => ({
    body: { isJson, field: { ...FIELD, ...part } },
  });
  if (expression !== undefined) {
    const result = compileExpression(expression, { ...optionsOf(isStored), result: 'value' });
    return 'expression' in result
      ? bodyOf({ template: null, expression: result.expression })
      : { errors: placed('body.expression', expression, result.errors) };
  }
  const source = template ?? '';
  if (!isStored && source.trim() === '') return { errors: placed('body.template', source, [BLANK]) };
  const result = compileTemplate(source, { split: false, isMessage: true });
  return 'template' in result
    ? bodyOf({ template: result.template, expression: null })
    : { errors: placed('body.template', source, [result.error]) };
}

function optionsOf(isStored: boolean) {
  const patterns = new PatternBudget();
  const patternError = isStored ? compileError : (pattern: string) => patterns.errorOf(pattern);
  return { split: false, reads: 'message', isStrict: !isStored, patternError } as const;
}

const BLANK: TemplateError = { code: 'empty', message: 'the template is empty', start: 0 };

const FIELD: Omit<CompiledField, 'template' | 'expression'> = {
  name: 'body',
  required: true,
  length: 'long',
  default: null,
  values: null,
  ranks: null,
};

/** Returns errors with their positions. Those that show how something is written do so for a payload. */
const placed = (
  field: string,
  source: string,
  errors: readonly (ExpressionError | TemplateError)[],
): MappingError[] =>
  errors.map(({ code, message, start }) => {
    const position = positionAt(source, start);
    const place = `line ${position.line}, column ${position.column}`;
    return { field, code, message: `${place}: ${message.replaceAll('webhook.', 'alert.')}`, ...position };
  });
