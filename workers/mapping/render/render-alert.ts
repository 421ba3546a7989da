import type { CompiledField, CompiledMapping } from '../definition/compile.js';
import type { MappingError } from '../definition/mapping-error.js';
import { ALERT_FIELDS, type AlertField, type MappedField } from '../definition/schema.js';
import { Explainer } from '../suggest/explainer.js';
import { hintOf } from '../suggest/missing-path.js';
import { Budget, type BudgetCode } from '../values/budget.js';
import { type JsonValue, KeyLists } from '../values/json-value.js';
import { describeResult } from '../values/looked-up.js';
import type { RequestSource } from '../values/request.js';
import type { LookedUp, Lookups } from './lookups.js';
import { toOwner } from './owner.js';
import { renderField } from './render-field.js';
import { seriesOf } from './render-series.js';
import { RenderState } from './render-state.js';
import type { Repetitions } from './repetition.js';
import type { FieldResult, NormalizedAlert } from './results.js';

/** Copied for each alert: an object that grows field by field is larger, and slower to write and to read. */
const NO_FIELDS: Record<AlertField, null> = {
  title: null,
  severity: null,
  description: null,
  source: null,
  service: null,
  environment: null,
  team: null,
  ownerEmail: null,
};

const emptyByMapping = new WeakMap<CompiledMapping, Partial<Record<MappedField, null>>>();

function emptyFields(mapping: CompiledMapping): Partial<Record<MappedField, null>> {
  if (mapping.fields.length === ALERT_FIELDS.length) return NO_FIELDS;
  const known = emptyByMapping.get(mapping);
  if (known) return known;
  const empty = { ...NO_FIELDS, ...Object.fromEntries(mapping.fields.map(({ name }) => [name, null])) };
  emptyByMapping.set(mapping, empty);
  return empty;
}

/** Renders the alerts of one event. Fields that use only the payload, not the item, are rendered once for all alerts. */
export class AlertRenderer {
  readonly #mapping: CompiledMapping;
  readonly #state: RenderState;
  readonly #explainer: Explainer;
  readonly #repetitions: Repetitions | null;
  /** Null if the mapping has none. */
  readonly #lookups: Lookups | null;
  /** Null without a split, which alone makes several alerts. */
  readonly #shared: Map<CompiledField, Rendered> | null;

  /** @param repetitions null if identical events are events of their own */
  constructor(
    mapping: CompiledMapping,
    payload: JsonValue,
    request: RequestSource,
    { repetitions, lookups }: { repetitions: Repetitions | null; lookups: Lookups | null },
  ) {
    const keys = new KeyLists();
    this.#mapping = mapping;
    this.#repetitions = repetitions;
    this.#lookups = lookups;
    this.#shared = mapping.split ? new Map() : null;
    this.#state = new RenderState({ webhook: payload, request }, new Budget(), keys);
    this.#explainer = new Explainer(keys, mapping.split, request);
  }

  /** Renders the alert of one item, or of the whole payload. */
  render(number: number, item?: JsonValue): NormalizedAlert {
    this.#state.item = item;
    this.#state.budget.startAlert(number);
    const lookedUp = this.#lookups?.of(number, item);
    if (lookedUp) this.#state.lookup = lookedUp.rows;
    const errors: MappingError[] = [];
    const results: Partial<Record<MappedField, FieldResult | null>> = {
      ...emptyFields(this.#mapping),
    };
    for (const field of this.#mapping.fields) results[field.name] = this.#field(field, errors, lookedUp);
    const fields = results as NormalizedAlert['fields'];
    const series = seriesOf(fields, this.#mapping) ?? this.#repetitions?.seriesOf(number, fields) ?? null;
    const custom: NormalizedAlert['custom'] = {};
    for (const { key, field } of this.#mapping.custom) custom[key] = this.#field(field, errors, lookedUp);
    const incomplete = errors.some(({ code }) => code === 'missing');
    const state = incomplete ? 'incomplete' : 'complete';
    const alert: NormalizedAlert = { item: number, state, fields, custom, series, faults: errors };
    if (lookedUp) alert.lookups = lookedUp.results;
    return alert;
  }

  #field(field: CompiledField, errors: MappingError[], lookedUp: LookedUp | undefined): FieldResult {
    const shared = this.#shared?.get(field);
    const result = shared?.result ?? this.#rendered(field);
    const exceeded = shared ? shared.exceeded : this.#state.exceeded;
    if (!shared && !(field.template ?? field.expression)?.usesItem)
      this.#shared?.set(field, { result, exceeded });
    addErrors(field, { result, exceeded }, errors, lookedUp);
    return result;
  }

  #rendered(field: CompiledField): FieldResult {
    const result = renderField(field, this.#state, this.#explainer);
    return field.name === 'ownerEmail' && result.value !== null ? toOwner(result) : result;
  }
}

interface Rendered {
  result: FieldResult;
  exceeded: BudgetCode | null;
}

const EXCEEDED: Record<BudgetCode, string> = {
  too_many_steps: 'template takes too many steps with this payload',
  too_much_output: 'template writes too much text with this payload',
  too_deep: 'value is nested too deeply',
};

function addErrors(
  field: CompiledField,
  { result, exceeded }: Rendered,
  errors: MappingError[],
  lookedUp: LookedUp | undefined,
): void {
  if (exceeded) {
    const message = `${field.name}: its ${EXCEEDED[exceeded].replace('template', sourceOf(field))}`;
    errors.push({ code: exceeded, field: field.name, message });
  }
  if (field.required && result.result === 'missing') errors.push(missingError(field, result, lookedUp));
}

const sourceOf = ({ expression }: CompiledField): string => (expression ? 'expression' : 'template');

function missingError(
  field: CompiledField,
  { missing, warnings }: FieldResult,
  lookedUp: LookedUp | undefined,
): MappingError {
  const { name } = field;
  const first = missing.find(({ nearest }) => nearest !== null) ?? missing[0];
  if (!first) {
    const failed = warnings.find(({ code }) => code === 'expression_error')?.message;
    return { code: 'missing', field: name, message: `${name}: ${failed ?? whyEmpty(field)}` };
  }
  const looked = lookedUp?.results[LOOKUP_NAME.exec(first.path)?.[1] ?? ''];
  if (looked) {
    const message = `${name}: ${first.path} has no value: ${describeResult(looked)}`;
    return { code: 'missing', field: name, path: first.path, message };
  }
  const placeholder = warnings.find(({ code }) => code === 'placeholder');
  const message = placeholder
    ? `${name}: ${first.path} has no value: ${placeholder.message}`
    : `${name}: ${first.path} is missing or blank in the payload${hintOf(first)}`;
  return { code: 'missing', field: name, path: first.path, message };
}

const LOOKUP_NAME = /^lookup(?:\.|\[["'])(\w+)/;

function whyEmpty({ template, expression }: CompiledField): string {
  if (expression) return 'the expression has no text';
  return template ? 'the template rendered no text' : 'the mapping has no template for it';
}
