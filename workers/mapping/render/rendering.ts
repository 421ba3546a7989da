import type Mustache from 'mustache';
import type { TagPaths } from '../template/template.js';
import type { Budget, BudgetCode } from '../values/budget.js';
import { isBlank, isObject, type JsonValue, type KeyLists, LONGEST_PIECE } from '../values/json-value.js';
import { follow } from '../values/lookup.js';
import type { Path } from '../values/path.js';
import { ValueFormatter } from '../values/value-formatter.js';

/** As many paths are named as failing; more help nobody. */
const MAX_MISSING = 20;
const NO_NAMES: TagPaths = new Map();

/** What the tags of one event's templates are looked up in, and what came of it, field by field. */
export class Rendering {
  readonly webhook: JsonValue;
  readonly budget: Budget;
  readonly text: ValueFormatter;
  readonly #keys: KeyLists;
  item: JsonValue | undefined;
  /** Where templates start; made by the writer. */
  context: Mustache.Context | null = null;
  /** What the field took too much of. */
  spent: BudgetCode | null = null;
  /** Sections open around the tag. */
  sections = 0;
  /** Tags of the field that rendered a value, and tags that found nothing. Sections are not counted themselves. */
  found = 0;
  unfound = 0;
  /** Tags outside of any section that found nothing: they make the field missing. */
  missing: Path[] = [];
  /** Sections, and tags inside of them, that found nothing: they count only if nothing else was written. */
  silent: Path[] = [];
  #names = NO_NAMES;

  constructor(webhook: JsonValue, budget: Budget, keys: KeyLists) {
    this.webhook = webhook;
    this.budget = budget;
    this.#keys = keys;
    this.text = new ValueFormatter(budget, keys);
  }

  startField(names: TagPaths): void {
    this.#names = names;
    this.sections = 0;
    this.found = 0;
    this.unfound = 0;
    if (this.missing.length > 0) this.missing = [];
    if (this.silent.length > 0) this.silent = [];
    this.budget.startField();
  }

  /** Returns the value of a tag's name; `element` is that of the section around it. */
  find(name: string, element: JsonValue | undefined): JsonValue | undefined {
    const paths = this.#names.get(name);
    if (paths === undefined) return undefined;
    if (paths.length > 1) return this.#firstOf(paths, element);
    return this.#follow(paths[0] as Path, element);
  }

  /** Returns the first value that is not missing. The paths tried before it are noted as absent. */
  #firstOf(paths: readonly Path[], element: JsonValue | undefined): JsonValue | undefined {
    for (const path of paths) {
      const value = this.#follow(path, element);
      if (!this.#isMissing(value)) return value;
      note(this.silent, path);
    }
    return undefined;
  }

  #follow(path: Path, element: JsonValue | undefined): JsonValue | undefined {
    return follow(this.rootOf(path, element), path.keys, this.budget);
  }

  rootOf({ root }: Path, element?: JsonValue): JsonValue | undefined {
    if (root === 'webhook') return this.webhook;
    return root === 'item' ? this.item : element;
  }

  /** To look through long blanks over and over counts as if they were written. */
  isBlank(value: JsonValue | undefined): boolean {
    if (!isBlank(value)) return false;
    if (typeof value === 'string') this.budget.write(Math.min(value.length, LONGEST_PIECE));
    return true;
  }

  /** Null, absent, blank text, the empty list and the empty object: what a tag renders nothing for. */
  #isMissing(value: JsonValue | undefined): boolean {
    if (Array.isArray(value)) return value.length === 0;
    return isObject(value) ? this.#keys.of(value).length === 0 : this.isBlank(value);
  }

  noteMissing(name: string): void {
    this.unfound += 1;
    this.#note(this.sections === 0 ? this.missing : this.silent, name);
  }

  noteSilent(name: string): void {
    this.#note(this.silent, name);
  }

  #note(list: Path[], name: string): void {
    for (const path of this.#names.get(name) ?? []) note(list, path);
  }
}

function note(list: Path[], path: Path): void {
  if (list.length < MAX_MISSING && !list.some(({ text }) => text === path.text)) list.push(path);
}
