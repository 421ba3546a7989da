import { LosslessNumber } from 'lossless-json';
import type { Token } from '../template/template.js';
import { hasWords, type JsonValue } from '../values/json-value.js';
import type { RenderState } from './render-state.js';

/*
 * Renders what mustache.js has parsed, without escaping, functions and partials. Names are looked up by paths through own properties only, and
 * never in the enclosing sections. Counts against the budget, and notes which paths found nothing.
 */

/** The element of the enclosing section; undefined outside of sections. */
type Element = JsonValue | undefined;

/**
 * Renders the tokens of a template, or of a section of it.
 * @throws BudgetExceeded
 */
export function renderTokens(tokens: readonly Token[], state: RenderState, element?: Element): string {
  let text = '';
  for (const token of tokens) {
    state.budget.step();
    text += renderToken(token, state, element);
  }
  return text;
}

function renderToken(token: Token, state: RenderState, element: Element): string {
  const name = token[1];
  const inner = token[4] ?? NONE;
  switch (token[0]) {
    case 'text':
      state.budget.write(name.length);
      return name;
    case '#':
      return renderSection(name, inner, state, element);
    case '^':
      return isFalsy(state.find(name, element), state) ? renderInner(inner, state, element) : '';
    case 'name':
    case '&':
      return renderValue(name, state, element, token[0] === '&');
    default:
      return '';
  }
}

const NONE: readonly Token[] = [];

function renderValue(name: string, state: RenderState, element: Element, isRaw: boolean): string {
  const value = state.find(name, element);
  const isMissing = value === undefined || state.isMissing(value);
  const text = isMissing ? '' : isRaw ? state.formatRaw(value) : state.format(value);
  if (text === '') {
    state.noteMissing(name);
    return isRaw ? state.nothing : '';
  }
  state.found += 1;
  state.budget.write(text.length);
  return text;
}

function renderSection(name: string, inner: readonly Token[], state: RenderState, element: Element): string {
  const value = state.find(name, element);
  if (isFalsy(value, state)) {
    state.noteAbsent(name);
    return '';
  }
  if (!Array.isArray(value)) return renderInner(inner, state, value === true ? element : value);
  let text = '';
  for (const one of value) text += renderInner(inner, state, one);
  return text;
}

/**
 * Renders the content of a section once. If it has tags and none of them finds a value, its literal text means nothing and is
 * dropped, as if the section were false.
 */
function renderInner(tokens: readonly Token[], state: RenderState, element: Element): string {
  const { found, notFound } = state;
  state.sections += 1;
  const text = renderTokens(tokens, state, element);
  state.sections -= 1;
  if (state.found > found) return text;
  if (state.notFound === notFound) {
    // Words that depend on a condition, such as {{#webhook.ok}}recovered{{/webhook.ok}}, are a value.
    if (hasWords(text)) state.found += 1;
    return text;
  }
  state.notFound = notFound;
  return '';
}

/** Extends what mustache.js regards as false by blank text, the empty list, and zero in any notation. */
function isFalsy(value: JsonValue | undefined, state: RenderState): boolean {
  if (value instanceof LosslessNumber) return Number(value.value) === 0;
  return !value || state.isBlank(value) || (Array.isArray(value) && value.length === 0);
}
