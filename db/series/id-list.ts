import { toUuidBinary } from '../bulk/uuid-binary.js';

/** Lengths of lists. Only a few, because each statement is prepared on every connection. */
const MAX_IDS = 500;
const LENGTHS = [1, 8, 40, 200, MAX_IDS] as const;

/** The parameters of `IN (…)`. */
interface IdList {
  /** As many `?` as there are values. */
  marks: string;
  values: Buffer[];
}

/** Splits ids into lists for `IN (…)`. The last id of a list is repeated up to one of a few lengths. */
export function* idLists(ids: readonly string[]): Generator<IdList> {
  for (let start = 0; start < ids.length; start += MAX_IDS) {
    const values = ids.slice(start, start + MAX_IDS).map(toUuidBinary);
    const length = LENGTHS.find((count) => count >= values.length) ?? MAX_IDS;
    const [last] = values.slice(-1);
    while (last && values.length < length) values.push(last);
    yield { marks: MARKS.slice(0, 2 * length - 1), values };
  }
}

const MARKS = new Array(MAX_IDS).fill('?').join(',');
