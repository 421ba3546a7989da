import type { AlertField } from '../../../http/types.ts';

interface AlertFieldInfo {
  label: string;
  /** Without it an alert is incomplete. */
  required: boolean;
}

/** The fields of an alert, in the order they are shown. The compiler sees that none is left out. */
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

/** The catalogue's own severities, worst first. */
export const SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;

/** A field of a mapping, as faults of the API name it: `fields.severity` or `custom.zone`. */
export type Target = `fields.${AlertField}` | `custom.${string}`;

/** What a person calls it. */
export function labelOf(target: string): string {
  const name = target.slice(target.indexOf('.') + 1);
  return target.startsWith('custom.') ? name : (ALERT_FIELDS[name as AlertField]?.label ?? name);
}

export const isRequired = (target: Target): boolean =>
  target.startsWith('fields.') && ALERT_FIELDS[target.slice('fields.'.length) as AlertField].required;

/** Results and statistics say `severity` and `custom.zone`. */
export const targetOfResult = (name: string): Target =>
  name.startsWith('custom.') ? (name as Target) : (`fields.${name}` as Target);
