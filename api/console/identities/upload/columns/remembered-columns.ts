import type { UploadPreview } from '../../../http/types.ts';
import { type ColumnChoice, dataInHeader } from './column-choice.ts';

const KEY = 'muster.upload-columns';
/** Header rows that are remembered, the last used first. */
const MAX_REMEMBERED = 20;

type Header = Pick<UploadPreview, 'columns' | 'columnCount' | 'error'>;
type Remembered = [header: string, choice: ColumnChoice];

/** Returns the choice that was last made for a file with the same header row; null if there is none. */
export const recallColumns = (header: Header): ColumnChoice | null =>
  stored().find(([name]) => name === digest(header))?.[1] ?? null;

/**
 * Remembers the choice for a header row in this browser. Only positions and a digest of the header are stored. A header that looks
 * like data is not remembered: an address could be guessed from its digest.
 */
export function rememberColumns(header: Header, choice: ColumnChoice): void {
  if (dataInHeader(header).length > 0) return;
  store([[digest(header), choice], ...others(header)]);
}

export function forgetColumns(header: Header): void {
  store(others(header));
}

const others = (header: Header): Remembered[] => stored().filter(([name]) => name !== digest(header));

function stored(): Remembered[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(read) ? read.filter(isRemembered) : [];
  } catch {
    return [];
  }
}

/** Without storage, for example because it is full or blocked, nothing is remembered. */
function store(remembered: Remembered[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(remembered.slice(0, MAX_REMEMBERED)));
  } catch {}
}

function isRemembered(entry: unknown): entry is Remembered {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string') return false;
  const { email, integrationId, identity, fixedId } = (entry[1] ?? {}) as Record<string, unknown>;
  const arePlaces = [email, integrationId, identity].every((at) => at === null || Number.isInteger(at));
  return arePlaces && (fixedId === null || typeof fixedId === 'string');
}

/** Returns a 64-bit digest (FNV-1a) of a header row. `crypto.subtle` does not exist on pages without TLS. */
function digest({ columns, columnCount }: Header): string {
  const text = JSON.stringify([columnCount, ...columns.map(({ name }) => name)]);
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16);
}
