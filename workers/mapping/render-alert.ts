import type { BudgetCode } from './budget.js';
import type { CompiledField, CompiledMapping } from './compile.js';
import type { Explainer } from './explain.js';
import { type RenderedField, renderField } from './render-field.js';
import type { Rendering } from './rendering.js';
import type { Fault, FieldResult, NormalizedAlert } from './results.js';

/** Renders all fields of one alert; the rendering holds its item. */
export function renderAlert(
  mapping: CompiledMapping,
  rendering: Rendering,
  explainer: Explainer,
  item: number,
): NormalizedAlert {
  const faults: Fault[] = [];
  const take = (field: CompiledField): FieldResult => {
    const rendered = renderField(field, rendering, explainer);
    noteFaults(field, rendered, faults);
    return rendered.result;
  };
  const fields: Partial<NormalizedAlert['fields']> = {};
  for (const field of mapping.fields) fields[field.name] = take(field);
  const custom: NormalizedAlert['custom'] = {};
  for (const { key, field } of mapping.custom) custom[key] = take(field);
  const incomplete = faults.some(({ code }) => code === 'missing');
  const state = incomplete ? 'incomplete' : 'complete';
  return { item, state, fields: fields as NormalizedAlert['fields'], custom, faults };
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
