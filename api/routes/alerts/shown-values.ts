import type { SeriesPosition } from '../../../db/series/series.js';
import {
  ALERT_FIELDS,
  comparePositions,
  type Rank,
  replaces,
  type SeriesItem,
} from '../../../workers/mapping/index.js';

/** A field of an alert that shows another value since an item. */
export interface ShownChange {
  /** `title`, `custom.zone`. */
  field: string;
  before: string | null;
  after: string | null;
}

interface Shown {
  rank: Rank;
  value: string | null;
  /** The place of the item that the value comes from. */
  from: SeriesPosition;
}

/** More places would not fit into a cursor. */
export const MAX_PLACES = 90;

/** The values that an alert shows, as its items are added in order. */
export class ShownValues {
  readonly #fields = new Map<string, Shown>();

  /** Adds the next item. Returns what the alert shows otherwise now. */
  add({ receivedAt, id, values, ranks, custom }: SeriesItem): ShownChange[] {
    const changed: ShownChange[] = [];
    const show = (field: string, value: string | null, rank: Rank) => {
      const known = this.#fields.get(field);
      if (known && !replaces(rank, known.rank, true)) return;
      const before = known?.value ?? null;
      if (value !== before) changed.push({ field, before, after: value });
      this.#fields.set(field, { rank, value, from: { receivedAt, id } });
    };
    for (const [index, name] of ALERT_FIELDS.entries())
      show(name, values[index] ?? null, ranks.own[index] ?? 0);
    for (const [name, rank] of Object.entries(ranks.custom ?? {}))
      show(`custom.${name}`, custom[name] ?? null, rank);
    return changed;
  }

  /**
   * Returns the places of the items that the values come from, oldest first. Adding these items alone shows the same, so the position in a
   * timeline carries them, and each page reads only them and its own items. Of very many, the oldest are left out.
   */
  get places(): SeriesPosition[] {
    const places = new Map([...this.#fields.values()].map(({ from }) => [from.id, from]));
    return [...places.values()].sort(comparePositions).slice(-MAX_PLACES);
  }
}
