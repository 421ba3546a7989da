import { Budget, type BudgetCode } from './budget.js';
import type { CompiledField, CompiledMapping } from './compile.js';
import { Explainer } from './explain.js';
import { type RenderedField, renderField } from './render-field.js';
import { Rendering } from './rendering.js';
import type { Fault, FieldResult, NormalizedAlert } from './results.js';
import { type JsonValue, KeyLists } from './values.js';

/** Renders the alerts of one event. What a mapping says of the payload alone is rendered once for all of them. */
export class AlertRenderer {
  readonly #mapping: CompiledMapping;
  readonly #rendering: Rendering;
  readonly #explainer: Explainer;
  readonly #shared = new Map<CompiledField, RenderedField>();

  constructor(mapping: CompiledMapping, payload: JsonValue) {
    const keys = new KeyLists();
    this.#mapping = mapping;
    this.#rendering = new Rendering(payload, new Budget(), keys);
    this.#explainer = new Explainer(keys);
  }

  /** The alert of one item, or of the whole payload. */
  render(number: number, item?: JsonValue): NormalizedAlert {
    this.#rendering.item = item;
    const faults: Fault[] = [];
    const fields: Partial<NormalizedAlert['fields']> = {};
    for (const field of this.#mapping.fields) fields[field.name] = this.#field(field, faults);
    const custom: NormalizedAlert['custom'] = {};
    for (const { key, field } of this.#mapping.custom) custom[key] = this.#field(field, faults);
    const incomplete = faults.some(({ code }) => code === 'missing');
    const state = incomplete ? 'incomplete' : 'complete';
    return { item: number, state, fields: fields as NormalizedAlert['fields'], custom, faults };
  }

  #field(field: CompiledField, faults: Fault[]): FieldResult {
    const shared = this.#shared.get(field);
    const rendered = shared ?? renderField(field, this.#rendering, this.#explainer);
    if (!shared && this.#mapping.split && !field.template?.ofItem) this.#shared.set(field, rendered);
    noteFaults(field, rendered, faults);
    return rendered.result;
  }
}

const SPENT: Record<BudgetCode, string> = {
  too_many_steps: 'its template takes too many steps with this payload',
  too_much_output: 'its template writes too much with this payload',
  too_deep: 'its value is nested too deep',
};

function noteFaults(field: CompiledField, { result, spent }: RenderedField, faults: Fault[]): void {
  if (spent) faults.push({ code: spent, field: field.name, message: `${field.name}: ${SPENT[spent]}` });
  if (field.required && result.result === 'missing') faults.push(missingFault(field, result));
}

function missingFault({ name, template }: CompiledField, { missing }: FieldResult): Fault {
  const [first] = missing;
  if (!first) {
    const why = template ? 'nothing was rendered' : 'the mapping has no template for it';
    return { code: 'missing', field: name, message: `${name}: ${why}` };
  }
  const hint = first.nearest ? `; the nearest is ${first.nearest}` : '';
  const message = `${name}: ${first.path} is not in the payload or blank${hint}`;
  return { code: 'missing', field: name, path: first.path, message };
}
