import { strToU8, zipSync } from 'fflate';

/** Parts of a workbook that a test writes itself; those that it leaves out are plain. */
interface Parts {
  /** What is within `sheetData`. */
  rows?: string;
  /** What follows `sheetData`. */
  after?: string;
  sheets?: string;
  /** What follows `sheets`. */
  calculation?: string;
  styles?: string;
  strings?: string;
  /** 0 stores the parts as they are. */
  level?: 0 | 6;
  /** Complete parts by name; `null` leaves one out. */
  parts?: Record<string, string | Uint8Array | null>;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const relations = (...entries: [id: string, type: string, target: string][]): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${entries
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

/** Returns an Excel workbook. */
export function workbookOf({
  rows = '',
  after = '',
  sheets = '<sheet name="People" sheetId="1" r:id="rId1"/>',
  calculation = '',
  styles = '',
  strings = '',
  level = 6,
  parts = {},
}: Parts): Buffer {
  const all: Record<string, string | Uint8Array | null> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"/>`,
    '_rels/.rels': relations(['rId1', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets}</sheets>${calculation}</workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId2', 'worksheet', '/xl/worksheets/sheet2.xml'],
      ['rId3', 'styles', 'styles.xml'],
      ['rId4', 'sharedStrings', 'sharedStrings.xml'],
    ),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData>${after}</worksheet>`,
    'xl/worksheets/sheet2.xml': `<worksheet xmlns="${MAIN}"><sheetData>${toRows([
      ['email', 'integrationId', 'identity'],
      ['other@example.com', 2, 'other'],
    ])}</sheetData></worksheet>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${strings}</sst>`,
    ...parts,
  };
  const files = Object.entries(all).flatMap(([name, content]) =>
    content === null ? [] : [[name, typeof content === 'string' ? strToU8(content) : content] as const],
  );
  return Buffer.from(zipSync(Object.fromEntries(files), { level }));
}

/** A cell: a text, a number, or its XML. */
type Cell = string | number | { xml: string };

/** Returns rows of a sheet, from its first one on. */
export const toRows = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((cells, at) => `<row r="${at + 1}">${cells.map(toCell).join('')}</row>`).join('');

function toCell(cell: Cell): string {
  if (typeof cell === 'object') return cell.xml;
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  const text = cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}
