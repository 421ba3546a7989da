import type Mustache from 'mustache';
import type { Budget, BudgetCode } from './budget.js';
import { follow } from './lookup.js';
import type { Path } from './path.js';
import { TextMaker } from './to-text.js';
import { isBlank, type JsonValue, type KeyLists, LONGEST_PIECE } from './values.js';

/** As many paths are named as failing; more help nobody. */
const MOST_MISSING = 20;
const NO_NAMES: ReadonlyMap<string, Path> = new Map();

/** What the tags of one event's templates are looked up in, and what came of it, field by field. */
export class Rendering {
  readonly webhook: JsonValue;
  readonly budget: Budget;
  readonly text: TextMaker;
  item: JsonValue | undefined;
  /** Where templates start; made by the writer. */
  context: Mustache.Context | null = null;
  /** What the field took too much of. */
  spent: BudgetCode | null = null;
  /** Sections open around the tag. */
  sections = 0;
  /** Tags outside of any section that found nothing: they make the field missing. */
  missing: Path[] = [];
  /** Sections, and tags inside of them, that found nothing: they count only if nothing else was written. */
  silent: Path[] = [];
  #names = NO_NAMES;

  constructor(webhook: JsonValue, budget: Budget, keys: KeyLists) {
    this.webhook = webhook;
    this.budget = budget;
    this.text = new TextMaker(budget, keys);
  }

  startField(names: ReadonlyMap<string, Path>): void {
    this.#names = names;
    this.sections = 0;
    if (this.missing.length > 0) this.missing = [];
    if (this.silent.length > 0) this.silent = [];
    this.budget.startField();
  }

  /** The value of a tag's name; `element` is that of the section around it. */
  find(name: string, element: JsonValue | undefined): JsonValue | undefined {
    const path = this.#names.get(name);
    return path && follow(this.rootOf(path, element), path.keys, this.budget);
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

  noteMissing(name: string): void {
    const list = this.sections === 0 ? this.missing : this.silent;
    note(list, this.#names.get(name));
  }

  noteSilent(name: string): void {
    note(this.silent, this.#names.get(name));
  }
}

function note(list: Path[], path: Path | undefined): void {
  if (path && list.length < MOST_MISSING && !list.includes(path)) list.push(path);
}
