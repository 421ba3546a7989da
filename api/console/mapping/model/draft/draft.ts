import type { AlertField, FieldMapping, MappedField, Mapping, OwnSeverities } from '../../../http/types.ts';
import {
  ALERT_FIELD_NAMES,
  ALERT_FIELDS,
  isRequired,
  MAPPED_FIELD_NAMES,
  type Target,
} from './alert-fields.ts';
import type { DraftLookup } from './lookups.ts';

/** One field of a draft. Missing parts are empty. */
export interface DraftField {
  template: string;
  /** The field has an expression in place of the template, which stays in the draft for switching back. */
  expression?: string;
  default: string;
  values: Record<string, string>;
  /** Words that have a rank, of a severity that has any. */
  ranks?: OwnSeverities;
}

interface DraftCustom {
  name: string;
  field: DraftField;
}

/** A mapping in the editor. */
export interface Draft {
  /** The full path, such as `webhook.alerts`. */
  split: string | null;
  expandJson: string[];
  /** A CEL expression. Empty: there is no filter. */
  filter: string;
  /** A key is one problem for ever. */
  final: boolean;
  /** Alerts keep the texts that they were opened with. */
  keepsTexts: boolean;
  /** Identical events without a key are counted for so many seconds. Null: they are not. */
  repeatWindowSeconds: number | null;
  lookups: DraftLookup[];
  fields: Record<MappedField, DraftField>;
  custom: DraftCustom[];
}

export const EMPTY_FIELD: DraftField = { template: '', default: '', values: {} };

/** Returns a saved mapping as a draft. */
export function toDraft(mapping: Mapping): Draft {
  const entries = MAPPED_FIELD_NAMES.map((name) => [name, toDraftField(mapping.fields[name])] as const);
  return {
    split: mapping.split ? fullPath(mapping.split) : null,
    expandJson: mapping.expandJson ?? [],
    filter: mapping.filter ?? '',
    final: mapping.final ?? false,
    keepsTexts: mapping.texts === 'opening',
    repeatWindowSeconds: mapping.repeatWindowSeconds ?? null,
    lookups: Object.entries(mapping.lookups ?? {}).map(([name, lookup]) => ({ name, lookup })),
    fields: Object.fromEntries(entries) as Draft['fields'],
    custom: Object.entries(mapping.custom ?? {}).map(([name, field]) => ({
      name,
      field: toDraftField(field),
    })),
  };
}

const toDraftField = (field: FieldMapping = {}): DraftField => ({
  template: field.template ?? '',
  ...(field.expression === undefined ? {} : { expression: field.expression }),
  default: field.default ?? '',
  values: field.values ?? {},
  ...(field.ranks && field.ranks.length > 0 ? { ranks: field.ranks } : {}),
});

/** Returns the path of the list to split with its `webhook` root, which a mapping may omit. */
function fullPath(split: string): string {
  if (/^webhook(?=$|[.[])/.test(split)) return split;
  return split.startsWith('[') ? `webhook${split}` : `webhook.${split}`;
}

/** Returns a draft as it is saved, without empty parts. */
export function toMapping(draft: Draft): Mapping {
  const fields = MAPPED_FIELD_NAMES.flatMap((name) => filled(name, draft.fields[name]));
  const custom = draft.custom.map(({ name, field }) => [name, toFieldMapping(field)] as const);
  return {
    ...(draft.split === null ? {} : { split: draft.split }),
    ...(draft.expandJson.length > 0 ? { expandJson: draft.expandJson } : {}),
    ...(draft.filter.trim() === '' ? {} : { filter: draft.filter }),
    ...(draft.lookups.length > 0
      ? { lookups: Object.fromEntries(draft.lookups.map(({ name, lookup }) => [name, lookup])) }
      : {}),
    fields: Object.fromEntries(fields),
    ...(draft.final ? { final: true } : {}),
    ...(draft.keepsTexts ? { texts: 'opening' as const } : {}),
    ...(draft.repeatWindowSeconds === null ? {} : { repeatWindowSeconds: draft.repeatWindowSeconds }),
    ...(custom.length > 0 ? { custom: Object.fromEntries(custom) } : {}),
  };
}

function filled(name: MappedField, field: DraftField): [MappedField, FieldMapping][] {
  const mapping = toFieldMapping(field);
  return Object.keys(mapping).length > 0 ? [[name, mapping]] : [];
}

const toFieldMapping = ({
  template,
  expression,
  default: fallback,
  values,
  ranks = [],
}: DraftField): FieldMapping => ({
  ...(expression === undefined && template.trim() !== '' ? { template } : {}),
  ...(expression?.trim() ? { expression } : {}),
  ...(fallback.trim() === '' ? {} : { default: fallback }),
  ...(Object.keys(values).length === 0 ? {} : { values }),
  ...(ranks.length === 0 ? {} : { ranks }),
});

/** Returns the text that the value of a field is made of: its expression or its template. */
export const sourceOf = ({ template, expression }: DraftField): string => expression ?? template;

/** Returns the field of a target, or an empty field if the draft does not have it. */
export function fieldAt(draft: Draft, target: Target): DraftField {
  const name = target.slice(target.indexOf('.') + 1);
  if (target.startsWith('fields.')) return draft.fields[name as MappedField];
  return draft.custom.find((one) => one.name === name)?.field ?? EMPTY_FIELD;
}

/** Returns all targets of a draft in display order. */
export const targetsOf = (draft: Draft): Target[] => [
  ...MAPPED_FIELD_NAMES.map((name): Target => `fields.${name}`),
  ...draft.custom.map(({ name }): Target => `custom.${name}`),
];

/** Returns whether a field is filled, or must be. */
export function isMapped(draft: Draft, target: Target): boolean {
  const field = fieldAt(draft, target);
  return isRequired(target) || sourceOf(field).trim() !== '' || field.default.trim() !== '';
}

/** Returns the required fields without a template or expression and without a default. They make every alert incomplete. */
export const unmappedRequired = (draft: Draft): AlertField[] =>
  ALERT_FIELD_NAMES.filter((name) => {
    const field = draft.fields[name];
    return ALERT_FIELDS[name].required && sourceOf(field) + field.default === '';
  });
