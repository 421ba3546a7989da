import { ALERT_FIELDS } from '../definition/schema.js';
import type { Occurrence, Providers } from './occurrence.js';
import type { ItemError, SeriesItem } from './series-item.js';

/** What an occurrence shows as an alert. */
export interface ShownAlert {
  /** In the order of `ALERT_FIELDS`. */
  values: readonly (string | null)[];
  /** The texts of custom fields by name. */
  custom: Readonly<Record<string, string>>;
  errors: readonly ItemError[];
}

const OWN_FIELDS: ReadonlySet<string> = new Set(ALERT_FIELDS);
const CUSTOM = 'custom.';

/**
 * Returns the texts and errors of an occurrence. The errors of a field come from the item that its text comes from, all others from the
 * newest event.
 */
export const shownAlert = ({ newestEvent, providers }: Occurrence): ShownAlert =>
  providers ? gather(newestEvent, providers) : newestEvent;

function gather(newest: SeriesItem, { own, custom }: Providers): ShownAlert {
  const errors = newest.errors.filter(({ field }) => !isOfField(field));
  for (const [index, name] of ALERT_FIELDS.entries()) addErrors(errors, own[index] ?? newest, name);
  const texts: Record<string, string> = {};
  for (const [name, item] of [...custom].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const text = item.custom[name];
    if (text !== undefined) texts[name] = text;
    addErrors(errors, item, CUSTOM + name);
  }
  return {
    values: own.map((item, index) => item.values[index] ?? null),
    custom: texts,
    errors: fitting(errors),
  };
}

/** Each item's errors fit the column (TEXT), but those of many items together may not. */
const MAX_ERROR_BYTES = 60_000;

/** Returns the first errors, as many as fit the column. */
function fitting(errors: ItemError[]): ItemError[] {
  let bytes = 0;
  const end = errors.findIndex((error) => {
    bytes += Buffer.byteLength(JSON.stringify(error)) + 1;
    return bytes > MAX_ERROR_BYTES;
  });
  return end < 0 ? errors : errors.slice(0, end);
}

function addErrors(errors: ItemError[], item: SeriesItem, name: string): void {
  for (const error of item.errors) if (error.field === name) errors.push(error);
}

const isOfField = (field: string | null): boolean =>
  field !== null && (OWN_FIELDS.has(field) || field.startsWith(CUSTOM));

/** Returns the state of an alert with these errors. It is incomplete if a required field is missing or an error concerns all of it. */
export const stateOfErrors = (errors: readonly ItemError[]): 'complete' | 'incomplete' =>
  errors.some(({ code, field }) => code === 'missing' || field === null) ? 'incomplete' : 'complete';
