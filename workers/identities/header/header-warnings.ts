import { FIELDS } from './column-names.js';
import type { Header } from './header.js';
import { isInvisiblyMarked, quoteName } from './quote-name.js';

/** Columns that a message shows. */
const MAX_SHOWN = 20;

/** An address, or digits only as in an integration ID. */
const DATA = /@|^\d+$/;

/** Returns warnings about a header: its values look like those of a row, and columns that are ignored. */
export function headerWarnings(header: Header): { code: string; message: string }[] {
  return [...looksLikeData(header), ...invisible(header), ...extraColumns(header)];
}

function invisible({ columns }: Header) {
  const names = Object.values(columns).flatMap((column) =>
    column && isInvisiblyMarked(column.name) ? [quoteName(column.name)] : [],
  );
  if (names.length === 0) return [];
  return [
    {
      code: 'invisible_in_header',
      message: `names of columns contain invisible characters: ${names.join(', ')}`,
    },
  ];
}

/** A client can choose columns of a file without a header: its first row then counts as the header. */
function looksLikeData({ columns }: Header) {
  const names = FIELDS.flatMap((field) => columns[field]?.name.trim() ?? []).filter((name) =>
    DATA.test(name),
  );
  if (names.length === 0) return [];
  const message =
    `the header looks like data: ${names.map(quoteName).join(', ')}. It is not imported. ` +
    'If it is a row, add a header before it';
  return [{ code: 'header_looks_like_data', message }];
}

function extraColumns({ extra }: Header) {
  if (extra.length === 0) return [];
  const shown = extra.slice(0, MAX_SHOWN).map(quoteName);
  if (extra.length > shown.length) shown.push(`and ${extra.length - shown.length} more`);
  return [{ code: 'extra_columns', message: `ignored columns: ${shown.join(', ')}` }];
}
