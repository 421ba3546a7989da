import { sortedBytes } from '../../alertmanager/fingerprint.js';
import { digestOf, type PostedAlert, sizeOf, webhookOf } from '../../alertmanager/posted-alert.js';
import type { IntakeEvent, IntakeList } from '../../queues/contracts/alert-intake.js';

/** Returns the events of a list. The first one has the size of the request, which they share in the queue. */
export const eventsOfList = ({ ids, alerts, ...rest }: IntakeList): IntakeEvent[] =>
  alerts.map((alert, at) => {
    const size = sizeOf(alert) + (at === 0 ? rest.request.length : 0);
    return new ListedEvent({ id: ids[at] ?? '', size }, alert, rest);
  });

/** The event of an alert of a list. Its body is written when it is read: the worker needs none of what only repeats. */
class ListedEvent implements IntakeEvent {
  readonly id: string;
  readonly size: number;
  readonly webhookId: string;
  readonly receivedAt: number;
  readonly request: string;
  readonly #alert: PostedAlert;
  #bytes: string | undefined;
  #digest: string | undefined;
  #raw: string | undefined;

  constructor(
    { id, size }: { id: string; size: number },
    alert: PostedAlert,
    { webhookId, receivedAt, request }: Omit<IntakeList, 'ids' | 'alerts'>,
  ) {
    this.id = id;
    this.size = size;
    this.#alert = alert;
    this.webhookId = webhookId;
    this.receivedAt = receivedAt;
    this.request = request;
  }

  get value() {
    return webhookOf(this.#alert, this.receivedAt, this.#labels);
  }

  get raw(): string {
    this.#raw ??= JSON.stringify(this.value);
    return this.#raw;
  }

  get digest(): string {
    this.#digest ??= digestOf(this.#alert, this.#labels);
    return this.#digest;
  }

  get #labels(): string {
    this.#bytes ??= sortedBytes(this.#alert.labels);
    return this.#bytes;
  }
}
