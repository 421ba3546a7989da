import {
  type CompiledExpression,
  compileError,
  compileExpression,
  type ExpressionError,
  PatternBudget,
} from '../expression/index.js';
import { lookupProblem } from '../template/check-tags.js';
import type { TemplateError } from '../template/tags.js';
import { type CompiledTemplate, compileTemplate } from '../template/template.js';
import type { LookupPlace } from '../values/looked-up.js';
import { type Path, parsePayloadPath } from '../values/path.js';
import { parseSplit, type Split } from '../values/split.js';
import type { Length } from '../values/truncate.js';
import type { CompiledField, CompiledLookup, CompiledMapping } from './compiled.js';
import { columnsIn, type LookupParts, lookupsIn, orderLookups, pathsOf } from './lookups.js';
import { type MappingError, positionAt } from './mapping-error.js';
import { compileRanks } from './own-severities.js';
import { parseMapping } from './parse-mapping.js';
import {
  ALERT_FIELDS,
  type FieldMapping,
  type LookupMapping,
  type MappedField,
  type Mapping,
  REQUIRED_FIELDS,
  SERIES_FIELDS,
} from './schema.js';
import { knownSeverity } from './severities.js';
import { compileValues, foldValue } from './value-map.js';

export type { CompiledField, CompiledLookup, CompiledMapping } from './compiled.js';

/** Returns whether several events may become one alert. */
export const mergesEvents = ({ fields, repeatWindowSeconds }: CompiledMapping): boolean =>
  repeatWindowSeconds !== null || fields.some(({ name }) => name === 'dedupKey');

export type CompileResult = { mapping: CompiledMapping } | { errors: MappingError[] };

/** Characters of all templates of a mapping. They are parsed when the mapping is saved and when it is first used. */
const MAX_TEMPLATES = 64 * 1024;

/** Checks and compiles a mapping. Returns all errors at once and throws none. */
export const compileMapping = (input: unknown): CompileResult => finish(compile(input, false));

/**
 * Compiles a mapping that was saved earlier. It keeps the meaning that it had when it was saved: limits that are newer than the
 * mapping do not apply.
 */
export const compileStored = (input: unknown): CompileResult => finish(compile(input, true));

/**
 * Checks and compiles a mapping, and waits for `pause` before each expression. The longest expression takes 15 ms and all of a
 * mapping up to 200 ms, during which a server could not respond to anybody else.
 * @param stored whether it was saved earlier, see {@link compileStored}
 */
export async function compileYielding(
  input: unknown,
  pause: () => Promise<unknown>,
  stored = false,
): Promise<CompileResult> {
  const steps = compile(input, stored);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await pause();
  }
}

function finish(steps: Generator<void, CompileResult>): CompileResult {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** Yields before each expression, so that the caller decides when it is compiled. */
function* compile(input: unknown, stored: boolean): Generator<void, CompileResult> {
  const parsed = parseMapping(input, stored);
  if ('errors' in parsed) return parsed;
  const compiler = new Compiler(parsed.mapping, stored);
  const mapping = yield* compiler.compile();
  return compiler.errors.length > 0 ? { errors: compiler.errors } : { mapping };
}

/** Returns the rank that a mapping gives a severity; null if it gives none. */
export function ownRankOf(mapping: CompiledMapping | null, severity: string | null): number | null {
  const ranks = mapping?.fields.find(({ name }) => name === 'severity')?.ranks;
  return (severity !== null && ranks?.get(foldValue(severity))?.rank) || null;
}

/** Returns a severity that is known, or ranked by its mapping, in its one spelling; null if it is neither. */
export const rankedSeverity = (text: string, ranks: CompiledField['ranks']): string | null =>
  knownSeverity(text) ?? ranks?.get(foldValue(text))?.word ?? null;

const LENGTHS: Readonly<Record<string, Length>> = { title: 'title', description: 'long', dedupKey: 'key' };

/** Characters of all expressions of a mapping. Parsing a character takes 1 µs, and up to 20 µs in nested brackets. */
const MAX_EXPRESSIONS = 16 * 1024;

class Compiler {
  readonly errors: MappingError[] = [];
  readonly #mapping: Mapping;
  readonly #stored: boolean;
  #characters = 0;
  #expressionCharacters = 0;
  readonly #patternError: (pattern: string) => string | null;
  readonly #lookupNames: ReadonlySet<string>;
  /** The lookups that find the owners of accounts. */
  readonly #owners: ReadonlySet<string>;
  /** Those that differ between the items of a split. */
  #itemLookups: ReadonlySet<string> = new Set();

  constructor(mapping: Mapping, stored: boolean) {
    this.#mapping = mapping;
    this.#stored = stored;
    const lookups = Object.entries(mapping.lookups ?? {});
    this.#lookupNames = new Set(lookups.map(([name]) => name));
    this.#owners = new Set(lookups.flatMap(([name, { owner }]) => (owner ? name : [])));
    const patterns = new PatternBudget();
    this.#patternError = stored ? compileError : (pattern) => patterns.errorOf(pattern);
  }

  *compile(): Generator<void, CompiledMapping> {
    const { split, expandJson = [], filter, fields, final = false, custom = {} } = this.#mapping;
    const { texts = 'newest' } = this.#mapping;
    const { repeatWindowSeconds = null } = this.#mapping;
    const own: (CompiledField & { name: MappedField })[] = [];
    const others: { key: string; field: CompiledField }[] = [];
    const lookups = yield* this.#lookups();
    this.#itemLookups = new Set(lookups.flatMap(({ usesItem, name }) => (usesItem ? name : [])));
    const compiled: CompiledMapping = {
      split: split ? this.#split(split) : null,
      expandJson: this.#expandJson(expandJson),
      lookups: [],
      filter: filter?.trim() ? yield* this.#expression('filter', filter, 'bool') : null,
      fields: own,
      final,
      texts,
      repeatWindowSeconds,
      custom: others,
    };
    for (const name of ALERT_FIELDS) {
      const field = yield* this.#field(`fields.${name}`, name, fields[name] ?? {});
      own.push({ ...field, name, required: REQUIRED_FIELDS.includes(name) });
    }
    for (const name of SERIES_FIELDS) {
      const field = yield* this.#field(`fields.${name}`, name, fields[name] ?? {});
      if (field.template ?? field.expression ?? field.default) own.push({ ...field, name });
    }
    for (const [key, field] of Object.entries(custom)) {
      others.push({ key, field: yield* this.#field(`custom.${key}`, `custom.${key}`, field) });
    }
    const paths = lookups.length > 0 ? pathsOf({ ...compiled, lookups: lookups.map(withAllColumns) }) : [];
    return {
      ...compiled,
      lookups: lookups.map((lookup) => ({ ...lookup, columns: columnsIn(paths, lookup.name) })),
    };
  }

  *#lookups(): Generator<void, Omit<CompiledLookup, 'columns'>[]> {
    const all: LookupParts[] = [];
    for (const [name, lookup] of Object.entries(this.#mapping.lookups ?? {})) {
      const { place, parts } = describeLookup(`lookups.${name}`, lookup);
      const key: CompiledField[] = [];
      for (const [at, part] of parts) key.push(yield* this.#keyPart(at, part));
      all.push({ name, place, key });
    }
    return orderLookups(all, (name) => {
      const message = 'a key may use what another lookup found, but not one whose key does so too, or itself';
      this.errors.push({ field: `lookups.${name}`, code: 'lookup_too_deep', message });
    });
  }

  *#keyPart(at: string, part: KeyPart): Generator<void, CompiledField> {
    const isTemplate = typeof part === 'string';
    return {
      ...{ name: at, required: false, length: 'lookupKey', default: null, values: null, ranks: null },
      template: isTemplate ? this.#template(at, part) : null,
      expression: isTemplate ? null : yield* this.#expression(`${at}.expression`, part.expression, 'value'),
    };
  }

  #split(text: string): Split {
    return parseSplit(text) ?? { ...this.#payloadPath('split', text), orWhole: false };
  }

  /** Parses a path in the payload. `alerts` and `webhook.alerts` mean the same; `webhook` is the payload itself. */
  #payloadPath(at: string, text: string): Path {
    const path = parsePayloadPath(text);
    if (path) return path;
    const message = `"${text}" is not a path in the payload; a valid one is data.alerts`;
    this.errors.push({ field: at, code: 'bad_path', message });
    return { text, root: 'webhook', keys: [] };
  }

  /** Rejects a path that is listed twice, because the second time has no effect. A mapping saved with one still works. */
  #expandJson(texts: readonly string[]): Path[] {
    const paths = texts.map((text, index) => this.#payloadPath(`expandJson.${index}`, text));
    const seen = new Set<string>();
    for (const [index, { text, keys }] of paths.entries()) {
      const key = JSON.stringify(keys);
      if (seen.has(key) && !this.#stored) {
        const message = `"${text}" is listed more than once`;
        this.errors.push({ field: `expandJson.${index}`, code: 'repeated_path', message });
      }
      seen.add(key);
    }
    return paths;
  }

  *#field(at: string, name: string, field: FieldMapping): Generator<void, CompiledField> {
    const { template, expression } = field;
    if (template?.trim() && expression?.trim()) {
      const message = 'a field has a template or an expression, not both';
      this.errors.push({ field: `${at}.expression`, code: 'invalid_mapping', message });
    }
    const ranks = field.ranks ? compileRanks(`${at}.ranks`, field.ranks, this.errors) : null;
    // A severity has one spelling.
    const spelled = (text: string): string =>
      name === 'severity' ? (rankedSeverity(text, ranks) ?? text) : text;
    const values = field.values ? compileValues(`${at}.values`, field.values, this.errors) : null;
    return {
      name,
      required: false,
      length: LENGTHS[name] ?? 'short',
      template: template?.trim() ? this.#template(`${at}.template`, template) : null,
      expression: expression?.trim()
        ? yield* this.#expression(`${at}.expression`, expression, 'value')
        : null,
      default: field.default === undefined ? null : spelled(field.default.trim()),
      values: values && new Map([...values].map(([from, to]) => [from, spelled(to)])),
      ranks,
    };
  }

  #template(at: string, source: string): CompiledTemplate | null {
    this.#characters += source.length;
    if (this.#characters > MAX_TEMPLATES) {
      const message = `the templates of a mapping must not exceed ${MAX_TEMPLATES.toLocaleString('en-US')} characters in total`;
      this.errors.push({ field: at, code: 'templates_too_long', message });
      return null;
    }
    const compiled = compileTemplate(source, {
      split: Boolean(this.#mapping.split),
      stored: this.#stored,
      lookups: this.#lookupNames,
    });
    if ('template' in compiled)
      return this.#ofItems(compiled.template, [...compiled.template.tagPaths.values()].flat());
    this.#fail(at, source, compiled.error);
    return null;
  }

  /** Marks what reads a lookup that differs between the items of a split. */
  #ofItems<Compiled extends { usesItem: boolean }>(compiled: Compiled, paths: readonly Path[]): Compiled {
    if (compiled.usesItem || !lookupsIn(paths).some((name) => this.#itemLookups.has(name))) return compiled;
    return { ...compiled, usesItem: true };
  }

  /** Yields before it compiles, which takes longer than all else. */
  *#expression(
    at: string,
    source: string,
    result: 'bool' | 'value',
  ): Generator<void, CompiledExpression | null> {
    this.#expressionCharacters += source.length;
    if (this.#expressionCharacters > MAX_EXPRESSIONS) {
      const message = `the expressions of a mapping must not exceed ${MAX_EXPRESSIONS.toLocaleString('en-US')} characters in total`;
      this.errors.push({ field: at, code: 'expressions_too_long', message });
      return null;
    }
    yield;
    const compiled = compileExpression(source, {
      result,
      split: Boolean(this.#mapping.split),
      patternError: this.#patternError,
    });
    if ('expression' in compiled) return this.#withLookups(at, compiled.expression);
    for (const error of compiled.errors) this.#fail(at, source, error);
    return null;
  }

  #withLookups(at: string, expression: CompiledExpression): CompiledExpression {
    for (const { root, keys } of expression.paths) {
      const message = root === 'lookup' ? lookupProblem(keys[0], this.#lookupNames) : null;
      if (message !== null) this.errors.push({ field: at, code: 'unknown_name', message });
    }
    const readsOwner = lookupsIn(expression.paths).some((name) => this.#owners.has(name));
    return this.#ofItems({ ...expression, readsOwner }, expression.paths);
  }

  /** Adds an error with its position in a template or expression. */
  #fail(at: string, source: string, { code, message, start }: TemplateError | ExpressionError): void {
    const position = positionAt(source, start);
    const place = `line ${position.line}, column ${position.column}`;
    this.errors.push({ field: at, code, message: `${place}: ${message}`, ...position });
  }
}

const withAllColumns = (lookup: Omit<CompiledLookup, 'columns'>): CompiledLookup => ({
  ...lookup,
  columns: null,
});

type KeyPart = NonNullable<LookupMapping['owner']>['identity'];

/** Returns what a lookup reads, and the parts of its key with their places in the mapping. */
function describeLookup(
  at: string,
  { table = '', key = [], owner }: LookupMapping,
): { place: LookupPlace; parts: [at: string, part: KeyPart][] } {
  if (owner)
    return {
      place: { integrationId: owner.integrationId },
      parts: [[`${at}.owner.identity`, owner.identity]],
    };
  const parts = Array.isArray(key)
    ? key.map((part, index): [string, KeyPart] => [`${at}.key.${index}`, part])
    : [[`${at}.key`, key] satisfies [string, KeyPart]];
  return { place: { table }, parts };
}
