import { ALERT_FIELDS } from '../definition/schema.js';
import type { Occurrence } from './occurrence.js';
import type { ItemError } from './series-item.js';

/** What an occurrence shows as an alert. */
export interface ShownAlert {
  state: 'complete' | 'incomplete';
  /** In the order of `ALERT_FIELDS`. */
  values: readonly (string | null)[];
  /** By name, in alphabetical order, without fields that have no text. */
  custom: readonly (readonly [name: string, value: string])[];
  errors: readonly ItemError[];
}

const OWN_FIELDS: ReadonlySet<string> = new Set(ALERT_FIELDS);
const CUSTOM = 'custom.';

/**
 * Returns the texts and errors of an occurrence. The errors of a field come from the item that its text comes from, all others from the
 * newest item.
 */
export function shownAlert(occurrence: Occurrence): ShownAlert {
  const { newest, providers, customProviders } = occurrence;
  const names = customProviders ? [...customProviders.keys()].sort() : [];
  const errors = newest.errors.filter(({ field }) => !isOfField(field));
  for (const [index, item] of providers.entries())
    addErrors(errors, item.errors, ALERT_FIELDS[index] as string);
  const custom: [string, string][] = [];
  for (const name of names) {
    const item = customProviders?.get(name);
    const value = item?.custom?.get(name)?.value ?? null;
    if (value !== null) custom.push([name, value]);
    addErrors(errors, item?.errors ?? [], CUSTOM + name);
  }
  return {
    state: errors.some(makesIncomplete) ? 'incomplete' : 'complete',
    values: providers.map((item, index) => item.values[index] ?? null),
    custom,
    errors,
  };
}

function addErrors(errors: ItemError[], own: readonly ItemError[], name: string): void {
  for (const error of own) if (error.field === name) errors.push(error);
}

const isOfField = (field: string | null): boolean =>
  field !== null && (OWN_FIELDS.has(field) || field.startsWith(CUSTOM));

/** A required field without a value, or an error of the whole item, such as a split that found no list. */
const makesIncomplete = ({ code, field }: ItemError): boolean => code === 'missing' || field === null;
