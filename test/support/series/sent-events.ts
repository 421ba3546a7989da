import { uuidv7 } from 'uuidv7';
import { toEventId } from '../../../db/events/alerts/alert-id.js';
import type { IntakeEvent } from '../../../workers/queues/contracts/alert-intake.js';
import type { SentItem } from './oracle.js';

/** Random values that follow from a seed. */
export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** The next number of the generator mulberry32, from 0, below 1. */
  #draw(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from 0, below `end`. */
  below(end: number): number {
    return Math.floor(this.#draw() * end);
  }

  from<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  shuffled<T>(values: readonly T[]): T[] {
    const list = [...values];
    for (let last = list.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [list[last], list[other]] = [list[other] as T, list[last] as T];
    }
    return list;
  }
}

const optional = (draw: Draw, name: string, values: readonly (string | number)[]) =>
  draw.below(3) === 0 ? {} : { [name]: draw.from(values) };

const STATUSES = ['alarm', 'alarm', 'alarm', 'firing', 'ok', 'ok', 'muted', 'reopened', 'update', 'test'];
/** Events in which an occurrence goes on. Items are also about the one before and the one after it. */
const RUN = 40;
/** The same time twice, and a text that is none. */
const sinceOf = (run: number) => [
  `2026-03-01T08:${10 + run}:00Z`,
  `2026-03-01T09:${10 + run}:00.000+01:00`,
  'soon',
];

/** @param place of its event, from 0 */
function sentItem(draw: Draw, series: number, place: number): SentItem {
  const number = draw.below(series);
  const run = Math.floor(place / RUN);
  return {
    key: `disk ${number}`,
    // A few items without a group stand alone under the mapping that groups by it.
    group: draw.below(12) === 0 ? '' : `host ${number % 7}`,
    status: draw.from(STATUSES),
    ...optional(draw, 'title', ['a', 'b', 'c']),
    ...optional(draw, 'severity', ['critical', 'P1', 'low']),
    ...optional(draw, 'text', ['91%', '92%', '93%']),
    ...optional(draw, 'team', ['red', 'blue']),
    ...optional(draw, 'zone', ['eu', 'us']),
    ...optional(draw, 'run', [run, run + 1, run + 2]),
    ...optional(draw, 'since', [run, run + 1, run + 2].flatMap(sinceOf)),
  };
}

/** Returns events in acceptance order, with items of so many series. Several may have the same time. */
export function sentEvents(
  draw: Draw,
  { webhookId, count, series }: { webhookId: string; count: number; series: number },
): IntakeEvent[] {
  let receivedAt = Date.now() - 60_000;
  return Array.from({ length: count }, (_, place) => {
    receivedAt += draw.below(3);
    const items = Array.from({ length: draw.from([1, 1, 1, 2, 3]) }, () => sentItem(draw, series, place));
    return { id: toEventId(uuidv7()), webhookId, receivedAt, raw: JSON.stringify({ items }) };
  });
}

/** Returns batches of events in random order, of which every tenth comes twice. */
export function inBatches(draw: Draw, events: readonly IntakeEvent[]): IntakeEvent[][] {
  const order = draw.shuffled(events);
  const batches: IntakeEvent[][] = [];
  while (order.length > 0) batches.push(order.splice(0, 1 + draw.below(20)));
  return draw.shuffled([...batches, ...batches.filter((_, index) => index % 10 === 0)]);
}
