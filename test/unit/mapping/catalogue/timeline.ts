import {
  ALERT_FIELDS,
  type CompiledMapping,
  endOf,
  foldItems,
  type JsonValue,
  type Mapping,
  noItemsOf,
  normalize,
  repeatWindowMs,
  type SeriesState,
  shownAlert,
  stateOfErrors,
  toSeriesItem,
} from '../../../../workers/mapping/index.js';
import type { EventRequest } from '../../../../workers/mapping/values/request.js';
import { bytes, compiled } from '../mapping.js';

/** An alert of a timeline, with what it shows after the last event. */
export interface FoldedAlert extends Record<(typeof ALERT_FIELDS)[number], string | null> {
  /** Null if it has none. */
  key: string | null;
  eventCount: number;
  /** Null without a key. */
  status: string | null;
  state: 'complete' | 'incomplete';
  resolution: string | null;
}

const fieldsOf = (values: readonly (string | null)[]): Record<(typeof ALERT_FIELDS)[number], string | null> =>
  Object.fromEntries(ALERT_FIELDS.map((name, index) => [name, values[index] ?? null])) as never;

/** Maps payloads in the order in which they are accepted, and folds those with a key into alerts. */
export class Timeline {
  readonly #mapping: CompiledMapping;
  readonly #series = new Map<string, SeriesState>();
  readonly #alerts = new Map<string, FoldedAlert>();
  readonly outcomes: string[] = [];
  /** Alerts without a key. */
  standAlone = 0;
  /** The title and description of each item, by event. */
  readonly texts: string[][] = [];
  #events = 0;

  constructor(mapping: Mapping) {
    this.#mapping = compiled(mapping);
  }

  /** Adds the event of a payload and of its request, with all of its items. */
  add(payload: JsonValue, request?: EventRequest): this {
    this.#events += 1;
    const { alerts } = normalize(this.#mapping, bytes(payload), request);
    this.texts.push(alerts.map(({ fields }) => `${fields.title.value}: ${fields.description.value}`));
    for (const alert of alerts) {
      if (!alert.series) {
        this.standAlone += 1;
        this.#alerts.set(`${this.#events}-${alert.item}`, {
          ...fieldsOf(ALERT_FIELDS.map((name) => alert.fields[name].value)),
          key: null,
          eventCount: 1,
          status: null,
          state: alert.state,
          resolution: null,
        });
        continue;
      }
      const { dedupKey, status } = alert.series;
      const position = { receivedAt: this.#events, id: `${this.#events}-${alert.item}` };
      const item = toSeriesItem(alert, position, { status, revision: 1 });
      const { state, occurrences, outcomes } = foldItems(this.#series.get(dedupKey) ?? noItemsOf(dedupKey), [
        item,
      ]);
      this.#series.set(dedupKey, state);
      this.outcomes.push(...outcomes.map(({ outcome }) => outcome));
      const hasKey = repeatWindowMs(dedupKey) === null;
      for (const occurrence of occurrences) {
        const { values, errors } = shownAlert(occurrence);
        const end = endOf(occurrence);
        this.#alerts.set(occurrence.id, {
          key: hasKey ? dedupKey : null,
          eventCount: occurrence.eventCount,
          status: hasKey ? (end ? 'resolved' : 'firing') : null,
          state: stateOfErrors(errors),
          resolution: end?.resolution ?? null,
          ...fieldsOf(values),
        });
      }
    }
    return this;
  }

  /** The alerts with a key, in the order in which they were opened. */
  get alerts(): FoldedAlert[] {
    return this.all.filter(({ key }) => key !== null);
  }

  /** All alerts, in the order in which they were opened. */
  get all(): FoldedAlert[] {
    return [...this.#alerts.values()];
  }
}
