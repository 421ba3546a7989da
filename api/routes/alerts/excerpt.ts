import { truncate } from '../../../workers/mapping/index.js';
import type { ShownChange } from './shown-values.js';

/** How many characters before the first difference an excerpt starts. */
const LEAD = 40;

/** Returns a change whose texts have at most 256 characters: of a long one, those around the first difference. An ellipsis marks each cut. */
export function excerpt({ field, before, after }: ShownChange): ShownChange {
  const start = Math.max(0, commonStart(before ?? '', after ?? '') - LEAD);
  return { field, before: part(before, start), after: part(after, start) };
}

function part(text: string | null, start: number): string | null {
  if (text === null) return null;
  const whole = truncate(text, 'short');
  if (whole === text || start === 0) return whole;
  // The second half of a character is left out.
  return `…${truncate(text.slice(start).replace(/^[\udc00-\udfff]/, ''), 'short')}`;
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}
