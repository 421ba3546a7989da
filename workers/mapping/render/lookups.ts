import { maskEmail } from '../../identities/record/mask-email.js';
import type { CompiledField, CompiledLookup, CompiledMapping } from '../definition/compiled.js';
import { Explainer } from '../suggest/explainer.js';
import { Budget, EXCEEDED } from '../values/budget.js';
import { type JsonObject, type JsonValue, KeyLists } from '../values/json-value.js';
import {
  cellValue,
  FOUND_NOTHING,
  type LookupLimit,
  type LookupPlace,
  type LookupResult,
  type LookupRow,
  type LookupSource,
  lookupKey,
  type Miss,
  OVER_LIMIT,
} from '../values/looked-up.js';
import type { RequestSource } from '../values/request.js';
import { type KeptPlace, keptText } from './kept-lookups.js';
import { renderField } from './render-field.js';
import { RenderState } from './render-state.js';
import type { Warning } from './results.js';

/** Different keys that are looked up for one event. */
const MAX_KEYS = 10_000;

/** Characters of the keys and cells that are kept of one event. */
const MAX_CHARACTERS = 2_000_000;

/** Characters of patterns that the keys of one event are compared with: about 150 ms. */
const MAX_COMPARED = 50_000_000;

/** What lookups found, by name. */
export interface LookedUp {
  results: Readonly<Record<string, LookupResult>>;
  /** The rows as paths read them. What found nothing is absent. */
  rows: JsonObject;
}

/** Returns the rows with the owners of accounts masked, for what all who read alerts may see. */
export function maskedRows({ results, rows }: LookedUp): JsonObject {
  const masked = { ...rows };
  for (const [name, { place, row }] of Object.entries(results))
    if ('integrationId' in place && row?.email) masked[name] = { email: maskEmail(row.email) };
  return masked;
}

/**
 * The keys of the lookups of an event that are known before it is mapped: of lookup `i` for the item `n`, at `n` times the number of lookups plus `i`; for
 * all items at once, at `i`.
 */
export type LookupKeys = readonly (string | undefined)[];

/** The values that keys are made of, and where rows are found. */
interface Sources {
  request: RequestSource;
  source: LookupSource;
  keys?: LookupKeys | undefined;
}

/**
 * Makes the lookups of one event, each once for all items whose keys are the same. Has a budget of its own, so that a lookup changes no field that
 * does not use it.
 */
export class Lookups {
  readonly #mapping: CompiledMapping;
  readonly #webhook: JsonValue;
  readonly #sources: Sources;
  /** Of lookups whose keys are the same for all items. */
  readonly #shared: (LookupResult | undefined)[] = [];
  #asked: Map<string | number, KeptPlace> | null = null;
  /** Keys that are made of owners. */
  #ofOwners: Set<string> | undefined;
  /** By the name of the lookup, the first error of its key. */
  #errors: Map<string, string> | undefined;
  #templates: { state: RenderState; explainer: Explainer } | undefined;
  readonly #keys: (string | undefined)[] = [];
  #limit: LookupLimit | undefined;
  #count = 0;
  #characters = 0;
  #compared = 0;

  constructor(mapping: CompiledMapping, webhook: JsonValue, sources: Sources) {
    this.#mapping = mapping;
    this.#webhook = webhook;
    this.#sources = sources;
  }

  /** Returns what the lookups find for an item; without one, for the event. */
  of(number: number, item?: JsonValue): LookedUp {
    const { lookups } = this.#mapping;
    const results: Record<string, LookupResult> = {};
    const rows: JsonObject = {};
    let index = 0;
    for (const lookup of lookups) {
      const at = lookup.usesItem ? number * lookups.length + index : index;
      const result = this.#shared[index] ?? this.#look(lookup, at, { number, item, rows });
      if (!lookup.usesItem) this.#shared[index] = result;
      index += 1;
      results[lookup.name] = result;
      if (result.row) rows[lookup.name] = valuesOf(result.row, lookup.columns);
    }
    return { results, rows };
  }

  /** Asks for what {@link of} will find, so that the source gets to know the keys. */
  visit(number: number, item?: JsonValue): void {
    const { lookups } = this.#mapping;
    if (lookups.some(({ usesLookup }) => usesLookup)) return void this.of(number, item);
    for (const [index, lookup] of lookups.entries()) {
      if (this.#count >= MAX_KEYS || (number > 0 && !lookup.usesItem)) continue;
      const { key } = this.#render(lookup, { number, item, rows: NO_ROWS });
      if (key === null) continue;
      this.#keys[number * lookups.length + index] = key;
      this.#sources.source(lookup.place, key);
      this.#count += 1;
    }
  }

  /** The keys that were looked up; none if one of them failed. */
  get keys(): LookupKeys {
    return this.#errors ? [] : this.#keys;
  }

  /** Returns what was found as text, to be kept with the event; null if nothing was looked up. */
  kept(): string | null {
    return keptText([...(this.#asked?.values() ?? [])], this.#ofOwners, this.#limit);
  }

  /** Returns the keys under which there is no row, each once; without those that are made of owners. */
  misses(): Miss[] {
    const misses: Miss[] = [];
    for (const { place, rows } of this.#asked?.values() ?? [])
      for (const [key, { row }] of rows) if (!row && !this.#ofOwners?.has(key)) misses.push({ place, key });
    return misses;
  }

  /** Returns why keys could not be made, or were not looked up. */
  warnings(): Warning[] {
    const warnings: Warning[] = [];
    for (const [name, error] of this.#errors ?? []) {
      const value = `lookups.${name}`;
      warnings.push({ code: 'expression_error', message: `${value}: ${error}`, value });
    }
    const limit = this.#limit;
    if (limit)
      warnings.push({ code: limit, message: `lookups: ${OVER_LIMIT[limit]}, so some found nothing` });
    return warnings;
  }

  #look(lookup: CompiledLookup, at: number, values: KeyValues): LookupResult {
    const { place, columns, usesOwner } = lookup;
    const given = this.#sources.keys?.[at];
    const { key, reason, error } =
      given === undefined ? this.#render(lookup, values) : { key: given, reason: null, error: undefined };
    if (key === null) return { ...FOUND_NOTHING, place, key, reason, ...(error && { error }) };
    this.#keys[at] = key;
    const result = this.#ask(place, key, columns);
    if (!usesOwner) return result;
    this.#ofOwners ??= new Set();
    this.#ofOwners.add(key);
    result.ofOwner = true;
    return result;
  }

  #render(
    { name, key: parts }: CompiledLookup,
    { number, item, rows }: KeyValues,
  ): Pick<LookupResult, 'key' | 'reason' | 'error'> {
    const { state } = this.#startTemplates();
    state.item = item;
    state.lookup = rows;
    state.budget.startAlert(number);
    const errors: string[] = [];
    const { key, reason } = lookupKey(parts.map((part) => this.#text(part, errors)));
    const [error] = errors;
    if (error === undefined) return { key, reason };
    this.#errors ??= new Map();
    if (!this.#errors.has(name)) this.#errors.set(name, error);
    return { key, reason, error };
  }

  #startTemplates(): { state: RenderState; explainer: Explainer } {
    if (this.#templates) return this.#templates;
    const keys = new KeyLists();
    const { request } = this.#sources;
    const state = new RenderState({ webhook: this.#webhook, request }, new Budget(), keys);
    this.#templates = { state, explainer: new Explainer(keys, this.#mapping.split, request) };
    return this.#templates;
  }

  /** Returns a part of a key; null if one of its tags finds nothing: what is left would be the key of something else. */
  #text(part: CompiledField, errors: string[]): string | null {
    const { state, explainer } = this.#startTemplates();
    const { value, result, warnings } = renderField(part, state, explainer);
    const failed = warnings.find(({ code }) => code === 'expression_error');
    if (failed) errors.push(`in its key, ${failed.message}`);
    const { exceeded } = state;
    if (exceeded) errors.push(`its key failed: ${EXCEEDED[exceeded]}`);
    return result === 'missing' ? null : value;
  }

  #ask(place: LookupPlace, key: string, columns: CompiledLookup['columns']): LookupResult {
    const name = 'table' in place ? place.table : place.integrationId;
    this.#asked ??= new Map();
    const asked = this.#asked.get(name) ?? { place, revision: null, rows: new Map() };
    const known = asked.rows.get(key);
    const full = known ? undefined : this.#full();
    const {
      revision,
      row,
      compared = 0,
      limit = full,
    } = full ? FOUND_NOTHING : this.#sources.source(place, key);
    if (limit) {
      this.#limit = limit;
      return { ...FOUND_NOTHING, place, key, reason: limit };
    }
    if (!known) {
      this.#count += 1;
      this.#characters += key.length + charactersOf(row, columns);
      this.#compared += compared;
    }
    if (known) known.columns = both(known.columns, columns);
    else asked.rows.set(key, { row, columns });
    asked.revision = revision;
    this.#asked.set(name, asked);
    const missing = 'table' in place && revision === null ? 'no_table' : 'no_row';
    return { place, key, revision, row, reason: row ? null : missing };
  }

  /** Returns the limit that the event has reached. */
  #full(): LookupLimit | undefined {
    if (this.#count >= MAX_KEYS) return 'too_many_keys';
    if (this.#compared >= MAX_COMPARED) return 'too_many_comparisons';
    return this.#characters >= MAX_CHARACTERS ? 'too_much_text' : undefined;
  }
}

const NO_ROWS = {};

/** What the parts of a key read, besides the payload. */
interface KeyValues {
  number: number;
  item: JsonValue | undefined;
  /** What the lookups before found. */
  rows: JsonObject;
}

function charactersOf(row: LookupRow | null, columns: CompiledLookup['columns']): number {
  let characters = 0;
  for (const name in row)
    if (columns?.has(name) ?? true) characters += name.length + (row[name]?.length ?? 0);
  return characters;
}

function valuesOf(row: LookupRow, columns: CompiledLookup['columns']): JsonObject {
  const values: JsonObject = {};
  for (const name in row) if (columns?.has(name) ?? true) values[name] = cellValue(row[name] ?? '');
  return values;
}

function both(one: CompiledLookup['columns'], other: CompiledLookup['columns']): CompiledLookup['columns'] {
  if (one === other || one === null || other === null) return one === other ? one : null;
  return new Set([...one, ...other]);
}
