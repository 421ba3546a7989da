import type { Destination } from '../../db/outbox/destinations.js';

/** Who may have to hear of a change, found without looking at all destinations: there may be ten thousand, each of one integration. */
export class Audience {
  readonly #byId: ReadonlyMap<string, Destination>;
  /** Those that hear of all integrations. */
  readonly #ofAll: readonly Destination[];
  readonly #byIntegration = new Map<string, Destination[]>();

  constructor(destinations: readonly Destination[]) {
    this.#byId = new Map(destinations.map((destination) => [destination.id, destination]));
    this.#ofAll = destinations.filter(({ webhookIds }) => webhookIds === null);
    for (const destination of destinations)
      for (const id of new Set(destination.webhookIds)) {
        const own = this.#byIntegration.get(id);
        if (own) own.push(destination);
        else this.#byIntegration.set(id, [destination]);
      }
  }

  /**
   * Returns those that hear of an integration, and those of `knowing`, which may have heard of it before.
   * @param only the only one that is told
   */
  *of({ webhookId, only, knowing }: { webhookId: string; only: string | null; knowing: Iterable<string> }) {
    if (only !== null) {
      yield* this.#found([only]);
      return;
    }
    const own = this.#byIntegration.get(webhookId) ?? [];
    yield* this.#ofAll;
    yield* own;
    for (const destination of this.#found(knowing))
      if (destination.webhookIds !== null && !own.includes(destination)) yield destination;
  }

  *#found(ids: Iterable<string>): Generator<Destination> {
    for (const id of ids) {
      const found = this.#byId.get(id);
      if (found) yield found;
    }
  }
}
