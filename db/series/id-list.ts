import { toUuidBinary } from '../bulk/uuid-binary.js';

/** Lengths of lists. Only a few, because each statement is prepared on every connection. */
const LENGTHS = [1, 4, 16, 64, 200] as const;
/** The longest list. */
export const MAX_IDS = 200;

/** Returns ids as the parameters of `IN (…)`. The last one is repeated up to one of the lengths. */
export function toIdList(ids: readonly string[]): { marks: string; values: Buffer[] } {
  const length = LENGTHS.find((count) => count >= ids.length);
  if (length === undefined) throw new RangeError(`more than ${MAX_IDS} ids`);
  const values = ids.map(toUuidBinary);
  while (values.length < length) values.push(values.at(-1) as Buffer);
  return { marks: new Array(length).fill('?').join(','), values };
}
