import { LosslessNumber } from 'lossless-json';
import Mustache from 'mustache';
import type { Token } from '../template/template.js';
import { hasWords, type JsonValue } from '../values/json-value.js';
import type { RenderState } from './render-state.js';

/** A context that looks names up by paths through own properties only, and never in the enclosing contexts. */
class SafeContext extends Mustache.Context {
  readonly state: RenderState;

  constructor(element: JsonValue | undefined, state: RenderState) {
    super(element);
    this.state = state;
  }

  override push(element: JsonValue): SafeContext {
    return new SafeContext(element, this.state);
  }

  override lookup(name: string): JsonValue | undefined {
    return this.state.find(name, this.view);
  }
}

/** mustache.js without escaping, functions and partials. Counts against the budget, and notes which paths found nothing. */
class SafeWriter extends Mustache.Writer {
  override renderTokens(tokens: unknown[], context: Mustache.Context): string {
    const safe = context as SafeContext;
    let text = '';
    for (const token of tokens as Token[]) {
      safe.state.budget.step();
      text += this.#renderToken(token, safe);
    }
    return text;
  }

  #renderToken(token: Token, context: SafeContext): string {
    switch (token[0]) {
      case 'text':
        context.state.budget.write(token[1].length);
        return token[1];
      case '#':
        return this.renderSection(token as never, context);
      case '^':
        return this.renderInverted(token as never, context);
      case 'name':
      case '&':
        return this.escapedValue(token as never, context);
      default:
        return '';
    }
  }

  /** Renders a tag's value, without escaping it. */
  override escapedValue(token: string[], context: Mustache.Context): string {
    const name = token[1] as string;
    const { state } = context as SafeContext;
    const value = (context as SafeContext).lookup(name);
    const text = state.isMissing(value) ? '' : state.format(value as JsonValue);
    if (text === '') {
      state.noteMissing(name);
      return '';
    }
    state.found += 1;
    state.budget.write(text.length);
    return text;
  }

  override renderSection(token: string[], context: Mustache.Context): string {
    const [name, tokens] = [token[1] as string, innerTokens(token)];
    const safe = context as SafeContext;
    const value = safe.lookup(name);
    if (isFalsy(value, safe.state)) {
      safe.state.noteAbsent(name);
      return '';
    }
    if (!Array.isArray(value)) {
      return this.#renderInner(tokens, value === true ? safe : safe.push(value as JsonValue));
    }
    let text = '';
    for (const element of value) text += this.#renderInner(tokens, safe.push(element));
    return text;
  }

  override renderInverted(token: string[], context: Mustache.Context): string {
    const safe = context as SafeContext;
    if (!isFalsy(safe.lookup(token[1] as string), safe.state)) return '';
    return this.#renderInner(innerTokens(token), safe);
  }

  /**
   * Renders the content of a section once. If it has tags and none of them finds a value, its literal text means nothing and is
   * dropped, as if the section were false.
   */
  #renderInner(tokens: Token[], context: SafeContext): string {
    const { state } = context;
    const { found, notFound } = state;
    state.sections += 1;
    const text = this.renderTokens(tokens, context);
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
}

const innerTokens = (token: unknown[]): Token[] => token[4] as Token[];

/** Extends what mustache.js regards as false by blank text, the empty list, and zero in any notation. */
function isFalsy(value: JsonValue | undefined, state: RenderState): boolean {
  if (value instanceof LosslessNumber) return Number(value.value) === 0;
  return !value || state.isBlank(value) || (Array.isArray(value) && value.length === 0);
}

const writer = new SafeWriter();

/**
 * Renders the tokens of a template.
 * @throws BudgetExceeded
 */
export function renderTokens(tokens: Token[], state: RenderState): string {
  state.context ??= new SafeContext(undefined, state);
  return writer.renderTokens(tokens, state.context);
}
