import type { AlertField, MappedField, SeriesField } from '../../../http/types.ts';

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
  ownerEmail: { label: 'Owner', required: false },
};

export const ALERT_FIELD_NAMES = Object.keys(ALERT_FIELDS) as AlertField[];

/** The fields that decide when an alert opens and resolves, and which events it consists of. */
export const LIFECYCLE_FIELDS: Record<SeriesField, AlertFieldInfo & { about: string }> = {
  dedupKey: {
    label: 'Deduplication key',
    required: false,
    about: 'Identifies the problem. Events with the same key are one alert.',
  },
  status: {
    label: 'Status',
    required: false,
    about: 'Firing or resolved. Common words such as "down" and "ok" are recognized.',
  },
  occurrence: {
    label: 'Occurrence',
    required: false,
    about:
      'A start time or run number that grows within a key. Late events about an earlier one change nothing.',
  },
  expiresAt: {
    label: 'Expires at',
    required: false,
    about: 'A time, or a duration such as 5m, after which the alert is over unless another event comes.',
  },
};

export const LIFECYCLE_FIELD_NAMES = Object.keys(LIFECYCLE_FIELDS) as SeriesField[];

const MAPPED_FIELDS: Record<MappedField, AlertFieldInfo> = { ...ALERT_FIELDS, ...LIFECYCLE_FIELDS };

/** All fields of a mapping except the custom ones. */
export const MAPPED_FIELD_NAMES = Object.keys(MAPPED_FIELDS) as MappedField[];

/** The severities of the template catalogue, most severe first. */
export const SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;

/** Returns whether an alert's severity is one of them. Others are stored and filtered as they are, but have no rank and no color. */
export const isKnownSeverity = (severity: string): boolean =>
  (SEVERITIES as readonly string[]).includes(severity.trim().toLowerCase());

/** A field of a mapping, as the API's errors name it: `fields.severity` or `custom.zone`. */
export type Target = `fields.${MappedField}` | `custom.${string}`;

/** Returns the label of a field. */
export function labelOf(target: string): string {
  const name = target.slice(target.indexOf('.') + 1);
  return target.startsWith('custom.') ? name : (MAPPED_FIELDS[name as MappedField]?.label ?? name);
}

export const isRequired = (target: Target): boolean =>
  target.startsWith('fields.') && MAPPED_FIELDS[target.slice('fields.'.length) as MappedField].required;

/** Returns the target of a field that results and statistics call `severity` or `custom.zone`. */
export const targetOfResult = (name: string): Target =>
  name.startsWith('custom.') ? (name as Target) : (`fields.${name}` as Target);

/** Returns the name of a field in results and statistics. */
export const nameOfResult = (target: Target): string => target.replace(/^fields\./, '');

/** Values that a value map is offered for. */
export const SUGGESTED_VALUES: ReadonlyMap<Target, readonly string[]> = new Map<Target, readonly string[]>([
  ['fields.severity', SEVERITIES],
  ['fields.status', ['firing', 'resolved', 'reopened', 'update', 'test']],
]);
