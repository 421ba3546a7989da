import type { Belief, knownOf } from '../../db/outbox/beliefs.js';
import type { Destination } from '../../db/outbox/destinations.js';

/** Who may have to hear of a change, found without looking at all destinations: there may be ten thousand, each of one integration. */
class Audience {
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

const audiences = new WeakMap<readonly Destination[], Audience>();
/** Returns the audience of a list of destinations, which stays the same until one of them has changed. */
export function audienceOf(destinations: readonly Destination[]): Audience {
  const audience = audiences.get(destinations) ?? new Audience(destinations);
  audiences.set(destinations, audience);
  return audience;
}

interface KnownPlace {
  belief?: Belief;
  /** Whether it may know more: a message waits, or was sent and not accepted. */
  isUndecided: boolean;
}

/** What destinations know of keys, by key: there are few of them, whatever the number of destinations. */
export class Known {
  readonly #byKey = new Map<string, Map<string, KnownPlace>>();

  constructor({ beliefs, undecided }: Awaited<ReturnType<typeof knownOf>>) {
    for (const belief of beliefs)
      this.#ofKey(belief.keyId).set(belief.destinationId, { belief, isUndecided: false });
    for (const { keyId, destinationId } of undecided) {
      const own = this.#ofKey(keyId);
      own.set(destinationId, { ...own.get(destinationId), isUndecided: true });
    }
  }

  /** Returns the destinations that know, or may know, something of a key. */
  destinationsOf(keyId: string): Iterable<string> {
    return this.#byKey.get(keyId)?.keys() ?? [];
  }

  of(destinationId: string, keyId: string): KnownPlace {
    return this.#byKey.get(keyId)?.get(destinationId) ?? { isUndecided: false };
  }

  #ofKey(keyId: string): Map<string, KnownPlace> {
    const found = this.#byKey.get(keyId) ?? new Map<string, KnownPlace>();
    this.#byKey.set(keyId, found);
    return found;
  }
}
