import type { AlertField } from '../../../http/types.ts';

interface AlertFieldInfo {
  label: string;
  /** An alert without it is incomplete. */
  required: boolean;
}

/** The fields of an alert in display order. The type makes sure that none is missing. */
export const ALERT_FIELDS: Record<AlertField, AlertFieldInfo> = {
  title: { label: 'Title', required: false },
  severity: { label: 'Severity', required: true },
  description: { label: 'Description', required: true },
  source: { label: 'Source', required: true },
  service: { label: 'Service', required: false },
  environment: { label: 'Environment', required: false },
  team: { label: 'Team', required: false },
};

export const ALERT_FIELD_NAMES = Object.keys(ALERT_FIELDS) as AlertField[];

/** The severities of the template catalogue, most severe first. */
export const SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;

/** A field of a mapping, as the API's errors name it: `fields.severity` or `custom.zone`. */
export type Target = `fields.${AlertField}` | `custom.${string}`;

/** Returns the label of a field. */
export function labelOf(target: string): string {
  const name = target.slice(target.indexOf('.') + 1);
  return target.startsWith('custom.') ? name : (ALERT_FIELDS[name as AlertField]?.label ?? name);
}

export const isRequired = (target: Target): boolean =>
  target.startsWith('fields.') && ALERT_FIELDS[target.slice('fields.'.length) as AlertField].required;

/** Returns the target of a field that results and statistics call `severity` or `custom.zone`. */
export const targetOfResult = (name: string): Target =>
  name.startsWith('custom.') ? (name as Target) : (`fields.${name}` as Target);
