import { positionAt } from '../definition/mapping-error.js';
import {
  type CompiledExpression,
  type Evaluated,
  evaluate,
  explainFalse,
  type FalseClause,
} from '../expression/index.js';
import { renderTokens } from '../render/template-writer.js';
import { type BudgetCode, BudgetExceeded } from '../values/budget.js';
import type { CompiledBody, MessageFilter } from './compile-message.js';
import { toJsonText } from './json-text.js';
import { MessageState, type MessageValues } from './message-state.js';

/** What a filter says of a message: with `false`, which clause is, and the values that it read. */
export type FilterVerdict = { passes: true; fault: string | null } | ({ passes: false } & FalseClause);

/**
 * Judges a message. Only `false` filters, as in mappings: an alert that a filter cannot judge is told rather than lost.
 * Never throws.
 */
export function judgeMessage(filter: MessageFilter, message: MessageValues): FilterVerdict {
  const state = new MessageState(message);
  state.budget.startField();
  const result = evaluate(filter, state.expressions);
  if (!('value' in result)) return { passes: true, fault: problemOf(filter, result) };
  if (result.value === true) return { passes: true, fault: null };
  if (result.value !== false) return { passes: true, fault: 'the result is neither true nor false' };
  return {
    passes: false,
    ...(explainFalse(filter, state.expressions) ?? { clause: filter.source, reads: [] }),
  };
}

/** Draws the body of a message, or says why that is not possible. Never throws. */
export function drawBody(body: CompiledBody, message: MessageValues): { text: string } | { fault: string } {
  const state = new MessageState(message, body.isJson);
  try {
    state.startField(body.field);
    const drawn = draw(body, state);
    if ('fault' in drawn) return drawn;
    if (drawn.text.trim() === '') return { fault: 'the body is empty' };
    return drawn;
  } catch (error) {
    if (error instanceof BudgetExceeded) return { fault: EXCEEDED[error.code] };
    throw error;
  }
}

function draw({ isJson, field }: CompiledBody, state: MessageState): { text: string } | { fault: string } {
  const { expression, template } = field;
  if (!expression) {
    const text = renderTokens(template?.tokens ?? [], state);
    const fault = isJson ? jsonFault(text) : null;
    return fault === null ? { text } : { fault };
  }
  const result = evaluate(expression, state.expressions);
  if (!('value' in result)) return { fault: problemOf(expression, result) };
  const text = isJson ? toJsonText(result.value) : state.format(result.value);
  state.budget.write(text.length);
  return { text };
}

function jsonFault(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return `the body is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function problemOf({ source }: CompiledExpression, result: Exclude<Evaluated, { value: unknown }>): string {
  if ('exceeded' in result) return EXCEEDED[result.exceeded];
  if ('missing' in result) return `${result.missing} is missing`;
  const { line, column } = positionAt(source, result.start);
  return `line ${line}, column ${column}: ${result.error}`;
}

const EXCEEDED: Record<BudgetCode, string> = {
  too_many_steps: 'it takes too many steps with this alert',
  too_much_output: 'it writes too much text with this alert',
  too_deep: 'a value is nested too deeply',
};
