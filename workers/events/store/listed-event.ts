import { sortedBytes } from '../../alertmanager/fingerprint.js';
import { digestOf, type PostedAlert, webhookOf } from '../../alertmanager/posted-alert.js';
import type { IntakeEvent, IntakeList } from '../../queues/contracts/alert-intake.js';

/** Returns the events of a list. */
export const eventsOfList = ({ ids, alerts, ...rest }: IntakeList): IntakeEvent[] =>
  alerts.map((alert, at) => new ListedEvent(ids[at] ?? '', alert, rest));

/** The event of an alert of a list. Its body is written when it is read: the worker needs none of what only repeats. */
class ListedEvent implements IntakeEvent {
  readonly id: string;
  readonly alert: PostedAlert;
  readonly webhookId: string;
  readonly receivedAt: number;
  readonly request: string;
  #bytes: string | undefined;
  #raw: string | undefined;

  constructor(
    id: string,
    alert: PostedAlert,
    { webhookId, receivedAt, request }: Omit<IntakeList, 'ids' | 'alerts'>,
  ) {
    this.id = id;
    this.alert = alert;
    this.webhookId = webhookId;
    this.receivedAt = receivedAt;
    this.request = request;
  }

  get value() {
    return webhookOf(this.alert, this.receivedAt, this.#labels);
  }

  get raw(): string {
    this.#raw ??= JSON.stringify(this.value);
    return this.#raw;
  }

  get digest(): string {
    return digestOf(this.alert, this.#labels);
  }

  get #labels(): string {
    this.#bytes ??= sortedBytes(this.alert.labels);
    return this.#bytes;
  }
}
