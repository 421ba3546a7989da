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
 * Makes the lookups of one event, each once for all items whose keys are the same. Has a budget of its own, so that a lookup changes no field that
 * does not use it.
 */
export class Lookups {
  readonly #lookups: readonly CompiledLookup[];
  readonly #state: RenderState;
  readonly #explainer: Explainer;
  readonly #source: LookupSource;
  readonly #shared = new Map<CompiledLookup, LookupResult>();
  readonly #asked = new Map<string, KeptPlace>();
  /** Keys that are made of owners. */
  readonly #ofOwners = new Set<string>();
  /** By the name of the lookup, the first error of its key. */
  readonly #errors = new Map<string, string>();
  #limit: LookupLimit | undefined;
  #keys = 0;
  #characters = 0;
  #compared = 0;

  constructor(
    { lookups, split }: CompiledMapping,
    webhook: JsonValue,
    { request, source }: { request: RequestSource; source: LookupSource },
  ) {
    const keys = new KeyLists();
    this.#lookups = lookups;
    this.#source = source;
    this.#state = new RenderState({ webhook, request }, new Budget(), keys);
    this.#explainer = new Explainer(keys, split, request);
  }

  /** Returns what the lookups find for an item; without one, for the event. */
  of(number: number, item?: JsonValue): LookedUp {
    const results: Record<string, LookupResult> = {};
    const rows: JsonObject = {};
    this.#state.item = item;
    this.#state.lookup = rows;
    this.#state.budget.startAlert(number);
    for (const lookup of this.#lookups) {
      const result = this.#shared.get(lookup) ?? this.#look(lookup);
      if (!lookup.usesItem) this.#shared.set(lookup, result);
      results[lookup.name] = result;
      if (result.row) rows[lookup.name] = valuesOf(result.row, lookup.columns);
    }
    return { results, rows };
  }

  /** Returns what was found as text, to be kept with the event; null if nothing was looked up. */
  kept(): string | null {
    return keptText([...this.#asked.values()], this.#ofOwners, this.#limit);
  }

  /** Returns the keys under which there is no row, each once; without those that are made of owners. */
  misses(): Miss[] {
    return [...this.#asked.values()].flatMap(({ place, rows }) =>
      [...rows].flatMap(([key, { row }]) => (row || this.#ofOwners.has(key) ? [] : { place, key })),
    );
  }

  /** Returns why keys could not be made, or were not looked up. */
  warnings(): Warning[] {
    const warnings: Warning[] = [];
    for (const [name, error] of this.#errors) {
      const value = `lookups.${name}`;
      warnings.push({ code: 'expression_error', message: `${value}: ${error}`, value });
    }
    const limit = this.#limit;
    if (limit)
      warnings.push({ code: limit, message: `lookups: ${OVER_LIMIT[limit]}, so some found nothing` });
    return warnings;
  }

  #look({ name, place, key: parts, columns, usesOwner }: CompiledLookup): LookupResult {
    const errors: string[] = [];
    const { key, reason } = lookupKey(parts.map((part) => this.#text(part, errors)));
    const [error] = errors;
    if (error && !this.#errors.has(name)) this.#errors.set(name, error);
    if (key === null) return { ...FOUND_NOTHING, place, key, reason, ...(error && { error }) };
    const result = this.#ask(place, key, columns);
    if (!usesOwner) return result;
    this.#ofOwners.add(key);
    return { ...result, ofOwner: true };
  }

  /** Returns a part of a key; null if one of its tags finds nothing: what is left would be the key of something else. */
  #text(part: CompiledField, errors: string[]): string | null {
    const { value, result, warnings } = renderField(part, this.#state, this.#explainer);
    const failed = warnings.find(({ code }) => code === 'expression_error');
    if (failed) errors.push(`in its key, ${failed.message}`);
    const { exceeded } = this.#state;
    if (exceeded) errors.push(`its key failed: ${EXCEEDED[exceeded]}`);
    return result === 'missing' ? null : value;
  }

  #ask(place: LookupPlace, key: string, columns: CompiledLookup['columns']): LookupResult {
    const name = 'table' in place ? `t ${place.table}` : `o ${place.integrationId}`;
    const asked = this.#asked.get(name) ?? { place, revision: null, rows: new Map() };
    const known = asked.rows.get(key);
    const full = known ? undefined : this.#full();
    const { revision, row, compared = 0, limit = full } = full ? FOUND_NOTHING : this.#source(place, key);
    if (limit) {
      this.#limit = limit;
      return { ...FOUND_NOTHING, place, key, reason: limit };
    }
    if (!known) {
      this.#keys += 1;
      this.#characters += key.length + charactersOf(row, columns);
      this.#compared += compared;
    }
    asked.rows.set(key, { row, columns: known ? both(known.columns, columns) : columns });
    asked.revision = revision;
    this.#asked.set(name, asked);
    const missing = 'table' in place && revision === null ? 'no_table' : 'no_row';
    return { place, key, revision, row, reason: row ? null : missing };
  }

  /** Returns the limit that the event has reached. */
  #full(): LookupLimit | undefined {
    if (this.#keys >= MAX_KEYS) return 'too_many_keys';
    if (this.#compared >= MAX_COMPARED) return 'too_many_comparisons';
    return this.#characters >= MAX_CHARACTERS ? 'too_much_text' : undefined;
  }
}

function charactersOf(row: LookupRow | null, columns: CompiledLookup['columns']): number {
  let characters = 0;
  for (const name in row)
    if (columns?.has(name) ?? true) characters += name.length + (row[name]?.length ?? 0);
  return characters;
}

function valuesOf(row: LookupRow, columns: CompiledLookup['columns']): JsonObject {
  const values: JsonObject = {};
  for (const [name, text] of Object.entries(row))
    if (columns?.has(name) ?? true) values[name] = cellValue(text);
  return values;
}

function both(one: CompiledLookup['columns'], other: CompiledLookup['columns']): CompiledLookup['columns'] {
  if (one === other || one === null || other === null) return one === other ? one : null;
  return new Set([...one, ...other]);
}
