import {
  foldItems,
  type JsonValue,
  type Mapping,
  NO_ITEMS,
  resolvedAt,
  type SeriesState,
  shownAlert,
  stateOfErrors,
  toSeriesItem,
} from '../../../../workers/mapping/index.js';
import { compiled, run } from '../mapping.js';

/** An alert of a timeline: how many events it has, and whether and with which title it ended. */
export interface FoldedAlert {
  key: string;
  eventCount: number;
  status: 'firing' | 'resolved';
  state: 'complete' | 'incomplete';
  title: string | null;
}

/** Maps payloads in the order in which they are accepted, and folds those with a key into alerts. */
export class Timeline {
  readonly #mapping: Mapping;
  readonly #series = new Map<string, SeriesState>();
  readonly #alerts = new Map<string, FoldedAlert>();
  readonly outcomes: string[] = [];
  /** Alerts without a key. */
  standAlone = 0;
  #events = 0;

  constructor(mapping: Mapping) {
    compiled(mapping);
    this.#mapping = mapping;
  }

  /** Adds the event of a payload, with all of its items. */
  add(payload: JsonValue): this {
    this.#events += 1;
    for (const alert of run(this.#mapping, payload).alerts) {
      if (!alert.series) {
        this.standAlone += 1;
        continue;
      }
      const { dedupKey, status } = alert.series;
      const position = { receivedAt: this.#events, id: `${this.#events}-${alert.item}` };
      const item = toSeriesItem(alert, position, { status, revision: 1 });
      const { state, occurrences, outcomes } = foldItems(this.#series.get(dedupKey) ?? NO_ITEMS, [item]);
      this.#series.set(dedupKey, state);
      this.outcomes.push(...outcomes.map(({ outcome }) => outcome));
      for (const occurrence of occurrences) {
        const { values, errors } = shownAlert(occurrence);
        const ended = resolvedAt(occurrence) !== null;
        this.#alerts.set(occurrence.id, {
          key: dedupKey,
          eventCount: occurrence.eventCount,
          status: ended ? 'resolved' : 'firing',
          state: stateOfErrors(errors),
          title: values[0] ?? null,
        });
      }
    }
    return this;
  }

  /** The alerts with a key, in the order in which they were opened. */
  get alerts(): FoldedAlert[] {
    return [...this.#alerts.values()];
  }
}
