import type { CompiledField, CompiledMapping } from '../definition/compile.js';
import type { AlertField } from '../definition/schema.js';
import { Explainer, type MissingPath } from '../suggest/explain.js';
import { Budget, type BudgetCode } from '../values/budget.js';
import { type JsonValue, KeyLists } from '../values/json-value.js';
import { renderField } from './render-field.js';
import { Rendering } from './rendering.js';
import type { Fault, FieldResult, NormalizedAlert } from './results.js';

/** An object that grew field by field would be larger, and slower to read. */
const NO_FIELDS: Record<AlertField, null> = {
  title: null,
  severity: null,
  description: null,
  source: null,
  service: null,
  environment: null,
  team: null,
};

/** Renders the alerts of one event. What a mapping says of the payload alone is rendered once for all of them. */
export class AlertRenderer {
  readonly #mapping: CompiledMapping;
  readonly #rendering: Rendering;
  readonly #explainer: Explainer;
  /** Only a split makes several alerts. */
  readonly #shared: Map<CompiledField, Rendered> | null;

  constructor(mapping: CompiledMapping, payload: JsonValue) {
    const keys = new KeyLists();
    this.#mapping = mapping;
    this.#shared = mapping.split ? new Map() : null;
    this.#rendering = new Rendering(payload, new Budget(), keys);
    this.#explainer = new Explainer(keys, mapping.split);
  }

  /** The alert of one item, or of the whole payload. */
  render(number: number, item?: JsonValue): NormalizedAlert {
    this.#rendering.item = item;
    const faults: Fault[] = [];
    const fields: Record<AlertField, FieldResult | null> = { ...NO_FIELDS };
    for (const field of this.#mapping.fields) fields[field.name] = this.#field(field, faults);
    const custom: NormalizedAlert['custom'] = {};
    for (const { key, field } of this.#mapping.custom) custom[key] = this.#field(field, faults);
    const incomplete = faults.some(({ code }) => code === 'missing');
    const state = incomplete ? 'incomplete' : 'complete';
    return { item: number, state, fields: fields as NormalizedAlert['fields'], custom, faults };
  }

  #field(field: CompiledField, faults: Fault[]): FieldResult {
    const shared = this.#shared?.get(field);
    const result = shared?.result ?? renderField(field, this.#rendering, this.#explainer);
    const spent = shared ? shared.spent : this.#rendering.spent;
    if (!shared && !field.template?.ofItem) this.#shared?.set(field, { result, spent });
    noteFaults(field, result, spent, faults);
    return result;
  }
}

interface Rendered {
  result: FieldResult;
  spent: BudgetCode | null;
}

const SPENT: Record<BudgetCode, string> = {
  too_many_steps: 'its template takes too many steps with this payload',
  too_much_output: 'its template writes too much with this payload',
  too_deep: 'its value is nested too deep',
};

function noteFaults(
  field: CompiledField,
  result: FieldResult,
  spent: BudgetCode | null,
  faults: Fault[],
): void {
  if (spent) faults.push({ code: spent, field: field.name, message: `${field.name}: ${SPENT[spent]}` });
  if (field.required && result.result === 'missing') faults.push(missingFault(field, result));
}

function missingFault({ name, template }: CompiledField, { missing }: FieldResult): Fault {
  const first = missing.find(({ nearest }) => nearest !== null) ?? missing[0];
  if (!first) {
    const why = template ? 'nothing was rendered' : 'the mapping has no template for it';
    return { code: 'missing', field: name, message: `${name}: ${why}` };
  }
  const message = `${name}: ${first.path} is not in the payload or blank${hintOf(first)}`;
  return { code: 'missing', field: name, path: first.path, message };
}

function hintOf({ nearest, expandJson }: MissingPath): string {
  if (expandJson) return `; the text at ${expandJson} holds JSON: add "${expandJson}" to expandJson`;
  return nearest ? `; the nearest is ${nearest}` : '';
}
