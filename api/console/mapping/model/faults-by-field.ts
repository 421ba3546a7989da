import type { Fault } from '../../http/request-failure.ts';
import type { Mapping } from '../../http/types.ts';

/** `fields.severity`, `custom.zone`, or what else a fault names: `split`, `expandJson`; empty: the mapping as a whole. */
export function placeOf({ field }: Pick<Fault, 'field'>): string {
  const [kind = '', name] = (field ?? '').split('.');
  return (kind === 'fields' || kind === 'custom') && name ? `${kind}.${name}` : kind;
}

/** Faults of a refused mapping by the place where they are to be shown. */
export function faultsByField(faults: readonly Fault[]): Map<string, Fault[]> {
  const byField = new Map<string, Fault[]>();
  for (const fault of faults) {
    const place = placeOf(fault);
    byField.set(place, [...(byField.get(place) ?? []), fault]);
  }
  return byField;
}

/** The mapping without what is at fault, so that the rest can be looked at; null when nothing can be left out. */
export function withoutFaults(mapping: Mapping, faults: readonly Fault[]): Mapping | null {
  const places = new Set(faults.map(placeOf));
  const custom = Object.entries(mapping.custom ?? {}).filter(([name]) => !places.has(`custom.${name}`));
  const fields = Object.entries(mapping.fields).filter(([name]) => !places.has(`fields.${name}`));
  const rest: Mapping = { fields: Object.fromEntries(fields), custom: Object.fromEntries(custom) };
  if (mapping.split && !places.has('split')) rest.split = mapping.split;
  if (mapping.expandJson && !places.has('expandJson')) rest.expandJson = mapping.expandJson;
  return JSON.stringify(rest) === JSON.stringify({ ...mapping, custom: mapping.custom ?? {} }) ? null : rest;
}
