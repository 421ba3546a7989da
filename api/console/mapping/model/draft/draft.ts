import type { AlertField, FieldMapping, Mapping } from '../../../http/types.ts';
import { ALERT_FIELD_NAMES, ALERT_FIELDS, type Target } from './alert-fields.ts';

/** One field while it is drawn: what is not there is empty. */
export interface DraftField {
  template: string;
  default: string;
  values: Record<string, string>;
}

interface DraftCustom {
  name: string;
  field: DraftField;
}

/** A mapping while it is drawn. */
export interface Draft {
  /** The whole path, `webhook.alerts`. */
  split: string | null;
  expandJson: string[];
  fields: Record<AlertField, DraftField>;
  custom: DraftCustom[];
}

export const EMPTY_FIELD: DraftField = { template: '', default: '', values: {} };

/** A saved mapping as a draft. */
export function toDraft(mapping: Mapping): Draft {
  const entries = ALERT_FIELD_NAMES.map((name) => [name, toDraftField(mapping.fields[name])] as const);
  return {
    split: mapping.split ? wholePath(mapping.split) : null,
    expandJson: mapping.expandJson ?? [],
    fields: Object.fromEntries(entries) as Draft['fields'],
    custom: Object.entries(mapping.custom ?? {}).map(([name, field]) => ({
      name,
      field: toDraftField(field),
    })),
  };
}

const toDraftField = (field: FieldMapping = {}): DraftField => ({
  template: field.template ?? '',
  default: field.default ?? '',
  values: field.values ?? {},
});

/** A mapping may leave `webhook` out where it names the list to split. */
function wholePath(split: string): string {
  if (/^webhook(?=$|[.[])/.test(split)) return split;
  return split.startsWith('[') ? `webhook${split}` : `webhook.${split}`;
}

/** A draft as it is saved: without what is empty. */
export function toMapping(draft: Draft): Mapping {
  const fields = ALERT_FIELD_NAMES.flatMap((name) => filled(name, draft.fields[name]));
  const custom = draft.custom.map(({ name, field }) => [name, toFieldMapping(field)] as const);
  return {
    ...(draft.split === null ? {} : { split: draft.split }),
    ...(draft.expandJson.length > 0 ? { expandJson: draft.expandJson } : {}),
    fields: Object.fromEntries(fields),
    ...(custom.length > 0 ? { custom: Object.fromEntries(custom) } : {}),
  };
}

function filled(name: AlertField, field: DraftField): [AlertField, FieldMapping][] {
  const mapping = toFieldMapping(field);
  return Object.keys(mapping).length > 0 ? [[name, mapping]] : [];
}

const toFieldMapping = ({ template, default: fallback, values }: DraftField): FieldMapping => ({
  ...(template.trim() === '' ? {} : { template }),
  ...(fallback.trim() === '' ? {} : { default: fallback }),
  ...(Object.keys(values).length === 0 ? {} : { values }),
});

/** The field that a target names; an empty one when there is none. */
export function fieldAt(draft: Draft, target: Target): DraftField {
  const name = target.slice(target.indexOf('.') + 1);
  if (target.startsWith('fields.')) return draft.fields[name as AlertField];
  return draft.custom.find((one) => one.name === name)?.field ?? EMPTY_FIELD;
}

/** All targets of a draft, in the order they are shown. */
export const targetsOf = (draft: Draft): Target[] => [
  ...ALERT_FIELD_NAMES.map((name): Target => `fields.${name}`),
  ...draft.custom.map(({ name }): Target => `custom.${name}`),
];

/** What an alert has to have and nothing is drawn for: every alert would be incomplete. */
export const notDrawn = (draft: Draft): AlertField[] =>
  ALERT_FIELD_NAMES.filter((name) => {
    const { template, default: stand } = draft.fields[name];
    return ALERT_FIELDS[name].required && template === '' && stand === '';
  });
