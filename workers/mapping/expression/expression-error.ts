/** An error of an expression, found when it is compiled. */
export interface ExpressionError {
  code: ExpressionErrorCode;
  message: string;
  /** Where it starts, in UTF-16 units. */
  start: number;
}

export type ExpressionErrorCode =
  | 'expression_too_long'
  | 'invalid_pattern'
  | 'no_item'
  | 'syntax_error'
  | 'too_complex'
  | 'type_error'
  | 'unknown_function'
  | 'unknown_name';
