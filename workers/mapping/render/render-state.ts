import type { CompiledField } from '../definition/compile.js';
import { foldValue } from '../definition/value-map.js';
import { ExpressionScope } from '../expression/index.js';
import type { TagPaths } from '../template/template.js';
import type { Budget, BudgetCode } from '../values/budget.js';
import { isBlank, type JsonValue, type KeyLists, MAX_TEXT } from '../values/json-value.js';
import { follow } from '../values/lookup.js';
import type { Path } from '../values/path.js';
import { isHollow, namesWord, placeholderIn } from '../values/placeholder.js';
import type { EventRequest, RequestSource } from '../values/request.js';
import { isKey } from '../values/truncate.js';
import { ValueFormatter } from '../values/value-formatter.js';
import { isMacro } from './macros.js';

/** Paths reported as failing for one field. More would not help. */
const MAX_REPORTED = 20;
const NO_PATHS: TagPaths = new Map();
const NO_ROWS = {};

/** The values in which the tags of one event's templates are looked up, and the outcome for the current field. */
export class RenderState {
  readonly webhook: JsonValue;
  /** Of a message. */
  readonly alert?: JsonValue;
  readonly transition?: JsonValue;
  /** What a tag in triple braces renders if it finds nothing. */
  readonly nothing: string = '';
  readonly #request: RequestSource;
  readonly budget: Budget;
  readonly #formatter: ValueFormatter;
  readonly #keys: KeyLists;
  item: JsonValue | undefined;
  /** The rows that the lookups found for the item, by name. */
  lookup: JsonValue = NO_ROWS;

  /** The limit that the field exceeded. */
  exceeded: BudgetCode | null = null;
  /** How many sections enclose the current tag. */
  sections = 0;
  /** Tags of the field that rendered a value, and tags that found nothing. Sections themselves do not count. */
  found = 0;
  notFound = 0;
  /** Paths of tags outside sections that found nothing. They make the field missing. */
  missing: Path[] = [];
  /** Paths of sections, and of tags inside them, that found nothing. They count only if nothing else was rendered. */
  absent: Path[] = [];
  /** The first placeholder that the sender wrote in place of a value, such as `<no value>`. */
  placeholder: string | null = null;
  #field: CompiledField | null = null;
  #tagPaths = NO_PATHS;
  #expressions: ExpressionScope | null = null;

  constructor(
    { webhook, request }: { webhook: JsonValue; request: RequestSource },
    budget: Budget,
    keys: KeyLists,
  ) {
    this.webhook = webhook;
    this.#request = request;
    this.budget = budget;
    this.#keys = keys;
    this.#formatter = new ValueFormatter(budget, keys);
  }

  /** Undefined for an event of an older release. */
  get request(): EventRequest | undefined {
    return this.#request();
  }

  /** What expressions read. Created when the first one is evaluated. */
  get expressions(): ExpressionScope {
    this.#expressions ??= new ExpressionScope(this, this.budget, this.#keys, this);
    return this.#expressions;
  }

  startField(field: CompiledField): void {
    this.#field = field;
    this.#tagPaths = field.template?.tagPaths ?? NO_PATHS;
    this.placeholder = null;
    this.sections = 0;
    this.found = 0;
    this.notFound = 0;
    if (this.missing.length > 0) this.missing = [];
    if (this.absent.length > 0) this.absent = [];
    this.budget.startField();
  }

  /** Returns the value of a tag's name. `element` is the element of the enclosing section. */
  find(name: string, element: JsonValue | undefined): JsonValue | undefined {
    const paths = this.#tagPaths.get(name);
    const path = paths?.[0];
    if (paths === undefined || path === undefined) return undefined;
    if (paths.length > 1) return this.#firstOf(paths, element);
    return this.#follow(path, element);
  }

  /** Returns the first value that is not missing, or else the first macro. The paths tried before it are noted as absent. */
  #firstOf(paths: readonly Path[], element: JsonValue | undefined): JsonValue | undefined {
    const { placeholder } = this;
    let macro: JsonValue | undefined;
    for (const path of paths) {
      const value = this.#follow(path, element);
      if (!this.isMissing(value, true)) {
        this.placeholder = placeholder;
        return value;
      }
      if (typeof value === 'string' && isMacro(value)) macro ??= value;
      note(this.absent, path);
    }
    this.placeholder = macro === undefined ? this.placeholder : placeholder;
    return macro;
  }

  #follow(path: Path, element: JsonValue | undefined): JsonValue | undefined {
    if (path.root === 'request') return this.#followRequest(path.keys, element);
    return follow(this.#rootOf(path, element), path.keys, this.budget);
  }

  #rootOf({ root }: Path, element?: JsonValue): JsonValue | undefined {
    // No template reads a row of a feed.
    if (root === 'row') return undefined;
    return root === 'element' ? element : this[root];
  }

  /**
   * Looks into the element of the enclosing section first: an element with a key `request` of its own was there before events
   * kept their request, and its templates keep their meaning.
   */
  #followRequest(keys: readonly string[], element: JsonValue | undefined): JsonValue | undefined {
    const own = element === undefined ? undefined : follow(element, ['request', ...keys], this.budget);
    return own === undefined ? follow(this.request, keys, this.budget) : own;
  }

  /**
   * Returns true for blank values and placeholders. Counts blank text as output, because searching long blanks over and over takes
   * as long as writing them.
   */
  isBlank(value: JsonValue | undefined, isOptional = false): boolean {
    if (!isBlank(value)) return typeof value === 'string' && this.isPlaceholder(value, isOptional);
    if (typeof value === 'string') this.budget.write(Math.min(value.length, MAX_TEXT));
    return true;
  }

  /**
   * Returns whether a text stands for "no value", and notes it. A word that the mapping of the field names is a value. A macro that was not
   * expanded is a value if there is no other: not in a key, and not if `isOptional`.
   */
  isPlaceholder(text: string, isOptional = false): boolean {
    const inKey = isKey(this.#field?.length);
    const word = placeholderIn(text, inKey) ?? ((inKey || isOptional) && isMacro(text) ? text.trim() : null);
    if (word === null || (this.#field !== null && this.#names(this.#field, word))) return false;
    this.placeholder ??= word;
    return true;
  }

  /** Returns whether the value map or the expression of a field names a placeholder. */
  #names({ values, expression }: CompiledField, word: string): boolean {
    const texts = [...(values?.keys() ?? []), ...(expression?.texts ?? [])];
    this.budget.step(texts.length);
    return texts.some((text) => namesWord(text, word));
  }

  /**
   * Returns true for values that a tag renders as nothing: absent, null, blank text, placeholders, and a list or object without any other
   * value. See {@link isPlaceholder} for `isOptional`.
   */
  isMissing(value: JsonValue | undefined, isOptional = false): boolean {
    if (typeof value !== 'object' || value === null) return this.isBlank(value, isOptional);
    const { placeholder } = this;
    const isMissing = isHollow(
      value,
      (leaf) => {
        this.budget.step();
        return this.isBlank(leaf, isOptional);
      },
      this.#keys,
    );
    if (!isMissing) this.placeholder = placeholder;
    return isMissing;
  }

  /**
   * Formats a value for the field. Of a list, a field with a value map takes the first element that the map has. In a key, the order
   * of an object's names does not count.
   * @throws BudgetExceeded
   */
  format(value: JsonValue): string {
    if (typeof value !== 'object') return this.#formatter.format(value);
    const values = this.#field?.values;
    if (Array.isArray(value) && values) {
      for (const element of value) {
        this.budget.step();
        if (typeof element === 'string' && values.has(foldValue(element))) return element;
      }
    }
    return isKey(this.#field?.length) ? this.#formatter.formatKey(value) : this.#formatter.format(value);
  }

  /** Formats a value for a tag in triple braces. */
  formatRaw(value: JsonValue): string {
    return this.format(value);
  }

  /** Notes a tag that found nothing. */
  noteMissing(name: string): void {
    this.notFound += 1;
    this.#note(this.sections === 0 ? this.missing : this.absent, name);
  }

  /** Notes a section that found nothing. */
  noteAbsent(name: string): void {
    this.#note(this.absent, name);
  }

  #note(list: Path[], name: string): void {
    for (const path of this.#tagPaths.get(name) ?? []) note(list, path);
  }
}

function note(list: Path[], path: Path): void {
  if (list.length < MAX_REPORTED && !list.some(({ text }) => text === path.text)) list.push(path);
}
