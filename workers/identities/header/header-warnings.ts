import { FIELDS } from './column-names.js';
import type { Header } from './header.js';
import { isInvisiblyMarked, quoteName } from './quote-name.js';

/** Columns that a message shows. */
const MAX_SHOWN = 20;

/** An address, or digits only as in an `integrationId`. */
const DATA = /@|^\d+$/;

/** Returns warnings about a header: its values look like those of a row, and columns that are ignored. */
export function headerWarnings({ columns, extra }: Header): { code: string; message: string }[] {
  const names = Object.values(columns).flatMap((column) => column?.name ?? []);
  // A client can choose columns of a file without a header: its first row then counts as the header.
  const data = FIELDS.flatMap((field) => columns[field]?.name.trim() ?? []).filter((name) => DATA.test(name));
  const asRow = '. It is not imported. If it is a row, add a header before it';
  return [
    ...warning('header_looks_like_data', 'the header looks like data', data, asRow),
    ...warning(
      'invisible_in_header',
      'names of columns contain invisible characters',
      names.filter(isInvisiblyMarked),
    ),
    ...warning('extra_columns', 'ignored columns', extra),
  ];
}

function warning(code: string, what: string, names: readonly string[], hint = '') {
  if (names.length === 0) return [];
  const shown = names.slice(0, MAX_SHOWN).map(quoteName);
  if (names.length > shown.length) shown.push(`and ${names.length - shown.length} more`);
  return [{ code, message: `${what}: ${shown.join(', ')}${hint}` }];
}
