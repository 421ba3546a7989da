import type { CompiledMapping } from '../definition/compile.js';
import { positionAt } from '../definition/mapping-error.js';
import type { ExpressionRoots } from '../expression/index.js';
import {
  type CompiledExpression,
  type Evaluated,
  ExpressionScope,
  evaluate,
  explainFalse,
} from '../expression/index.js';
import { Explainer } from '../suggest/explainer.js';
import { hintOf } from '../suggest/missing-path.js';
import { Budget, EXCEEDED } from '../values/budget.js';
import { type JsonValue, KeyLists } from '../values/json-value.js';
import type { RequestSource } from '../values/request.js';
import { type LookedUp, type Lookups, maskedRows } from './lookups.js';
import type { FilterResult, Warning } from './results.js';

/** Warnings of one event. More would not help. */
const MAX_WARNINGS = 5;

/**
 * Decides which parts of one event the filter of its mapping drops. Only `false` drops: a missing path, an error, another value
 * or an exceeded limit keeps the alert and adds a warning. The budget is separate, so that a filter changes no alert that it
 * keeps.
 */
export class Filter {
  readonly #expression: CompiledExpression;
  readonly #roots: ExpressionRoots;
  readonly #budget = new Budget();
  readonly #scope: ExpressionScope;
  readonly #explainer: Explainer;
  readonly #warnings = new Map<string, Warning>();
  /** Null if the filter uses none. */
  readonly #lookups: Lookups | null;
  #lookedUp: LookedUp | null = null;

  constructor(
    expression: CompiledExpression,
    { split }: Pick<CompiledMapping, 'split'>,
    { webhook, request, lookups }: { webhook: JsonValue; request: RequestSource; lookups: Lookups | null },
  ) {
    const keys = new KeyLists();
    this.#lookups = lookups && expression.paths.some(({ root }) => root === 'lookup') ? lookups : null;
    this.#expression = expression;
    this.#roots = {
      webhook,
      item: undefined,
      get request() {
        return request();
      },
    };
    this.#scope = new ExpressionScope(this.#roots, this.#budget, keys);
    this.#explainer = new Explainer(keys, split, request);
  }

  /** Decides about the whole event. Returns null if there is nothing to report. */
  ofEvent(): FilterResult | null {
    this.#look(0);
    const reason = this.#drops() ? { ...this.#reason(), item: null } : null;
    return this.#result(reason, []);
  }

  /** Decides about each item of a split. Returns null if there is nothing to report. */
  ofItems(items: readonly JsonValue[]): FilterResult | null {
    let reason: FilterResult['reason'] = null;
    const dropped: number[] = [];
    for (const [number, item] of items.entries()) {
      this.#roots.item = item;
      this.#look(number, item);
      this.#budget.startAlert(number);
      if (!this.#drops()) continue;
      reason ??= { ...this.#reason(), item: number };
      dropped.push(number);
    }
    return this.#result(reason, dropped);
  }

  #result(reason: FilterResult['reason'], items: readonly number[]): FilterResult | null {
    const warnings = [...this.#warnings.values()];
    return reason || warnings.length > 0 ? { reason, items, warnings } : null;
  }

  #look(number: number, item?: JsonValue): void {
    if (!this.#lookups) return;
    this.#lookedUp = this.#lookups.of(number, item);
    this.#roots.lookup = this.#lookedUp.rows;
  }

  #drops(): boolean {
    const { exceeded } = this.#budget;
    if (exceeded) return this.#undecided({ exceeded });
    this.#budget.startField();
    const result = evaluate(this.#expression, this.#scope);
    if ('value' in result && typeof result.value === 'boolean') return !result.value;
    return this.#undecided(result);
  }

  #reason(): { clause: string; values: { path: string; value: string | null }[] } {
    const shown = this.#lookedUp ? { ...this.#roots, lookup: maskedRows(this.#lookedUp) } : this.#roots;
    const { clause, reads } = explainFalse(this.#expression, this.#scope, shown) ?? {
      clause: this.#expression.source,
      reads: [],
    };
    return { clause, values: reads };
  }

  /** Adds a warning, once for each reason. */
  #undecided(result: Evaluated): false {
    const key = JSON.stringify('value' in result ? 'value' : result);
    if (!this.#warnings.has(key) && this.#warnings.size < MAX_WARNINGS)
      this.#warnings.set(key, this.#warning(result));
    return false;
  }

  #warning(result: Evaluated): Warning {
    if ('missing' in result) return this.#missing(result.missing);
    return { code: 'filter_error', message: `filter: ${this.#problem(result)}, so it dropped nothing` };
  }

  #missing(path: string): Warning {
    const known = this.#expression.paths.find(({ text }) => text === path);
    const hint = known ? hintOf(this.#explainer.explain(known, this.#roots)) : '';
    const message = `filter: ${path} is missing, so it dropped nothing${hint}`;
    return { code: 'filter_missing', message, value: path };
  }

  #problem(result: Exclude<Evaluated, { missing: string }>): string {
    if ('exceeded' in result) return EXCEEDED[result.exceeded];
    if ('value' in result) return 'the result is neither true nor false';
    const { line, column } = positionAt(this.#expression.source, result.start);
    return `line ${line}, column ${column}: ${result.error}`;
  }
}
