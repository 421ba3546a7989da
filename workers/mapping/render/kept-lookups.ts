import {
  FOUND_NOTHING,
  type LookupLimit,
  type LookupPlace,
  type LookupRow,
  type LookupSource,
} from '../values/looked-up.js';

/** What was looked up in a place. */
export interface KeptPlace {
  place: LookupPlace;
  revision: number | null;
  /** By key, with the columns that the mapping reads; null: all. */
  rows: Map<string, { row: LookupRow | null; columns: ReadonlySet<string> | null }>;
}

/** As it is stored. */
interface Kept {
  tables?: Record<string, { revision: number | null; rows: Record<string, LookupRow | null> }>;
  /** By account system. */
  owners?: Record<string, Record<string, LookupRow | null>>;
  /** Keys that are made of owners. */
  ofOwners?: string[];
  /** Why keys that are not here found nothing. */
  limit?: LookupLimit;
}

/**
 * Returns what was looked up as it is stored; null if nothing was. Puts texts together, because objects of them took a sixth of the time of an event.
 * @param ofOwners keys that are made of owners
 * @param limit why other keys were not looked up
 */
export function keptText(
  places: readonly KeptPlace[],
  ofOwners: ReadonlySet<string> | undefined,
  limit: LookupLimit | undefined,
): string | null {
  let [tables, owners] = ['', ''];
  for (const { place, revision, rows } of places) {
    const kept = rowsText(rows);
    if ('table' in place)
      tables += `${tables && ','}${JSON.stringify(place.table)}:{"revision":${revision},"rows":${kept}}`;
    else owners += `${owners && ','}"${place.integrationId}":${kept}`;
  }
  const parts = [
    tables && `"tables":{${tables}}`,
    owners && `"owners":{${owners}}`,
    ofOwners && `"ofOwners":${JSON.stringify([...ofOwners])}`,
    limit && `"limit":"${limit}"`,
  ].filter(Boolean);
  return parts.length === 0 ? null : `{${parts.join()}}`;
}

function rowsText(rows: KeptPlace['rows']): string {
  let text = '';
  for (const [key, { row, columns }] of rows)
    text += `${text && ','}${JSON.stringify(key)}:${row ? rowText(row, columns) : 'null'}`;
  return `{${text}}`;
}

function rowText(row: LookupRow, columns: ReadonlySet<string> | null): string {
  let text = '';
  for (const name in row)
    if (columns?.has(name) ?? true)
      text += `${text && ','}${JSON.stringify(name)}:${JSON.stringify(row[name])}`;
  return `{${text}}`;
}

/** What was found for an event, as it is kept with it. */
export interface KeptLookup {
  place: LookupPlace;
  revision: number | null;
  key: string;
  row: LookupRow | null;
  /** Whether the key is made of the owner of an account. */
  ofOwner: boolean;
}

/** Returns what is kept with an event; nothing if it is null. */
export function keptLookups(text: string | null): KeptLookup[] {
  const { tables = {}, owners = {}, ofOwners = [] }: Kept = text === null ? {} : JSON.parse(text);
  const secret = new Set(ofOwners);
  const kept = (place: LookupPlace, revision: number | null, rows: Record<string, LookupRow | null>) =>
    Object.entries(rows).map(([key, row]) => ({ place, revision, key, row, ofOwner: secret.has(key) }));
  return [
    ...Object.entries(tables).flatMap(([table, { revision, rows }]) => kept({ table }, revision, rows)),
    ...Object.entries(owners).flatMap(([id, rows]) => kept({ integrationId: Number(id) }, null, rows)),
  ];
}

/** Returns a source that finds what is kept with an event, and nothing else. */
export function keptSource(text: string | null): LookupSource {
  const { tables = {}, owners = {}, limit }: Kept = text === null ? {} : JSON.parse(text);
  const notKept = { ...FOUND_NOTHING, limit };
  return (place, key) => {
    const accounts = 'table' in place ? undefined : owners[place.integrationId];
    const table = 'table' in place && Object.hasOwn(tables, place.table) ? tables[place.table] : undefined;
    const rows = accounts ?? table?.rows;
    if (!rows || !Object.hasOwn(rows, key))
      return limit ? notKept : { revision: table?.revision ?? null, row: null };
    return { revision: table?.revision ?? null, row: rows[key] ?? null };
  };
}

/**
 * Returns a source that finds what is kept with an event. Of what is not kept, because the mapping now reads it for the first time, it finds what
 * another source does.
 */
export function keptFirst(text: string | null, other: LookupSource): LookupSource {
  const kept = keptSource(text);
  const keys = new Set(keptLookups(text).map(({ place, key }) => JSON.stringify([place, key])));
  return (place, key) => {
    const found = other(place, key);
    if (!keys.has(JSON.stringify([place, key]))) return found;
    const { row } = kept(place, key);
    return { ...found, row: row && { ...found.row, ...row } };
  };
}
