import type { NewEvent } from './event-rows.js';

/** Of what was made of events, in hand at a time, about: a body of 18 KB may become a thousand alerts of 16 KB each. */
export const MAX_ROW_BYTES = 4 * 1024 * 1024;
/** What is held for a row beside its texts: objects, ids, the cells that are sent. */
const ROW_BYTES = 400;

/** Bytes that an event's rows take in memory, about: a character counts as one. */
export function rowSize({ raw, faults, alerts }: NewEvent): number {
  let size = ROW_BYTES + raw.length + length(faults);
  for (const alert of alerts) {
    const { title, severity, description, source, service, environment, team, custom } = alert;
    size += ROW_BYTES + length(title) + length(severity) + length(description) + length(source);
    size += length(service) + length(environment) + length(team) + length(custom) + length(alert.faults);
  }
  return size;
}

const length = (text: string | null): number => text?.length ?? 0;
