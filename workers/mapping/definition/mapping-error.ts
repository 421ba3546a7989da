import type { ExpressionErrorCode } from '../expression/index.js';
import type { TemplateErrorCode } from '../template/tags.js';
import type { BudgetCode } from '../values/budget.js';

/**
 * An error of a mapping, found when it is compiled or when it maps a payload. Errors found with a payload are stored with their
 * event or alert, under the name `faults`.
 */
export interface MappingError {
  code: CompileErrorCode | PayloadErrorCode;
  /**
   * When compiling: the place in the mapping, `fields.severity.template`, `custom.zone.values`, `split`. With a payload: the field
   * of the alert, `severity` or `custom.zone`; null if the error concerns the whole event or alert.
   */
  field: string | null;
  message: string;
  /** With a payload: the path that leads to nothing. */
  path?: string;
  /** When compiling: the position in the template or expression, if the error is in one. */
  offset?: number;
  line?: number;
  column?: number;
}

export type CompileErrorCode =
  | TemplateErrorCode
  | ExpressionErrorCode
  | 'expressions_too_long'
  | 'invalid_mapping'
  | 'lookup_too_deep'
  | 'repeated_path'
  | 'repeated_value'
  | 'templates_too_long'
  | 'too_large';

export type PayloadErrorCode =
  | BudgetCode
  | 'missing'
  | 'no_mapping'
  | 'not_json'
  | 'split_not_array'
  | 'too_many_items';

/** A position in a text: 0-based offset in UTF-16 units, 1-based line and column. */
type Position = Required<Pick<MappingError, 'offset' | 'line' | 'column'>>;

export function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split('\n');
  const [last = ''] = lines.slice(-1);
  return { offset, line: lines.length, column: last.length + 1 };
}
