import type { UploadPreview } from '../../../http/types.ts';
import { counted } from '../../../text/quantities.ts';

const DELIMITERS: Record<string, string> = {
  ',': 'Separated by commas',
  ';': 'Separated by semicolons',
  '\t': 'Separated by tabs',
  '|': 'Separated by |',
};

const CHARSETS: Record<string, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
};

/** Returns what was detected, such as `Separated by semicolons · UTF-8 · 4 columns · gzip` or `Excel workbook · sheet People · 3 columns`. */
export function describeFormat({
  delimiter,
  charset,
  columnCount,
  compression,
  sheets,
  sheet,
}: Pick<
  UploadPreview,
  'delimiter' | 'charset' | 'columnCount' | 'compression' | 'sheets' | 'sheet'
>): string {
  const parts = [
    sheets && 'Excel workbook',
    sheet && `sheet ${sheet}`,
    delimiter && (DELIMITERS[delimiter] ?? `Separated by ${delimiter}`),
    charset && (CHARSETS[charset] ?? charset),
    columnCount > 0 && counted(columnCount, 'column'),
    compression && 'gzip',
  ];
  return parts.filter(Boolean).join(' · ');
}
