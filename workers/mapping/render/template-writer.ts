import { LosslessNumber } from 'lossless-json';
import Mustache from 'mustache';
import type { Token } from '../template/template.js';
import { hasWords, type JsonValue } from '../values/json-value.js';
import type { Rendering } from './rendering.js';

/** A value that names are looked up in: by paths through own properties only, without the values around it. */
class SafeContext extends Mustache.Context {
  readonly rendering: Rendering;

  constructor(element: JsonValue | undefined, rendering: Rendering) {
    super(element);
    this.rendering = rendering;
  }

  override push(element: JsonValue): SafeContext {
    return new SafeContext(element, this.rendering);
  }

  override lookup(name: string): JsonValue | undefined {
    return this.rendering.find(name, this.view);
  }
}

/** mustache.js with the safe profile: no escaping, no functions, no partials; it counts, and notes what is missing. */
class SafeWriter extends Mustache.Writer {
  override renderTokens(tokens: unknown[], context: Mustache.Context): string {
    const safe = context as SafeContext;
    let text = '';
    for (const token of tokens as Token[]) {
      safe.rendering.budget.step();
      text += this.#renderToken(token, safe);
    }
    return text;
  }

  #renderToken(token: Token, context: SafeContext): string {
    switch (token[0]) {
      case 'text':
        context.rendering.budget.write(token[1].length);
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

  override escapedValue(token: string[], context: Mustache.Context): string {
    const name = token[1] as string;
    const { rendering } = context as SafeContext;
    const value = (context as SafeContext).lookup(name);
    const text = rendering.isBlank(value) ? '' : rendering.text.toText(value as JsonValue);
    if (text === '' || (typeof value === 'object' && (text === '{}' || text === '[]'))) {
      rendering.noteMissing(name);
      return '';
    }
    rendering.found += 1;
    rendering.budget.write(text.length);
    return text;
  }

  override renderSection(token: string[], context: Mustache.Context): string {
    const [name, tokens] = [token[1] as string, innerTokens(token)];
    const safe = context as SafeContext;
    const value = safe.lookup(name);
    if (isFalsy(value, safe.rendering)) {
      safe.rendering.noteSilent(name);
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
    if (!isFalsy(safe.lookup(token[1] as string), safe.rendering)) return '';
    return this.#renderInner(innerTokens(token), safe);
  }

  /**
   * Renders what is inside a section, once. If it has tags and none of them finds anything, its literal text says nothing: it is
   * dropped, as if the section were false.
   */
  #renderInner(tokens: Token[], context: SafeContext): string {
    const { rendering } = context;
    const { found, unfound } = rendering;
    rendering.sections += 1;
    const text = this.renderTokens(tokens, context);
    rendering.sections -= 1;
    if (rendering.found > found) return text;
    if (rendering.unfound === unfound) {
      // Words that depend on a condition, such as {{#webhook.ok}}recovered{{/webhook.ok}}, are a value.
      if (hasWords(text)) rendering.found += 1;
      return text;
    }
    rendering.unfound = unfound;
    return '';
  }
}

const innerTokens = (token: unknown[]): Token[] => token[4] as Token[];

/** As in mustache.js, and also blank text, the empty list, and a zero however it was written. */
function isFalsy(value: JsonValue | undefined, rendering: Rendering): boolean {
  if (value instanceof LosslessNumber) return Number(value.value) === 0;
  return !value || rendering.isBlank(value) || (Array.isArray(value) && value.length === 0);
}

const writer = new SafeWriter();

/** Renders a template's tokens. Throws BudgetSpent, and nothing else. */
export function renderTokens(tokens: Token[], rendering: Rendering): string {
  rendering.context ??= new SafeContext(undefined, rendering);
  return writer.renderTokens(tokens, rendering.context);
}
