import type { NewEvent } from '../../db/event-rows.js';
import { ALERT_FIELDS } from '../mapping/index.js';

/** Of what was made of events, in hand at a time, about: a body of 18 KB may become a thousand alerts of 16 KB each. */
export const MOST_ROW_BYTES = 4 * 1024 * 1024;
/** What is held for a row beside its texts: objects, ids, the cells that are sent. */
const ROW_BYTES = 400;

/** Bytes that an event's rows take in memory, about: a character counts as one. */
export function rowSize({ raw, faults, alerts }: NewEvent): number {
  let size = ROW_BYTES + raw.length + length(faults);
  for (const alert of alerts) {
    size += ROW_BYTES + length(alert.custom) + length(alert.faults);
    for (const field of ALERT_FIELDS) size += length(alert[field]);
  }
  return size;
}

const length = (text: string | null): number => text?.length ?? 0;
