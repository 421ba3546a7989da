import type { Network, ResolvedAddress } from './network.js';

/** Lookups of the system at the same time. They take two of the four threads that all of a process shares, also its files. */
const AT_ONCE = 2;
/** The addresses of a host are used for so long without another lookup. */
const FRESH_MS = 30_000;
/** They are used for so long while they are looked up again, so that a name server that hangs delays nobody who was told before. */
const KEPT_MS = 5 * 60_000;

interface Known {
  addresses: ResolvedAddress[];
  at: number;
}

/** Returns a function that resolves hosts like another one, and remembers their addresses for a short time. Requests check the addresses anyway, each time. */
export function rememberLookups(
  resolve: Network['resolve'],
  now = () => performance.now(),
): Network['resolve'] {
  const known = new Map<string, Known>();
  const pending = new Map<string, Promise<ResolvedAddress[]>>();
  const waiting: (() => void)[] = [];
  let busy = 0;
  const lookUp = async (host: string): Promise<ResolvedAddress[]> => {
    if (busy >= AT_ONCE) await new Promise<void>((go) => waiting.push(go));
    else busy += 1;
    try {
      const addresses = await resolve(host);
      known.delete(host);
      known.set(host, { addresses, at: now() });
      forget(known, now() - KEPT_MS);
      return addresses;
    } finally {
      pending.delete(host);
      // Hands the place on.
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };
  return async (host) => {
    const age = now() - (known.get(host)?.at ?? Number.NEGATIVE_INFINITY);
    const { addresses } = known.get(host) ?? {};
    if (addresses && age < FRESH_MS) return addresses;
    const lookup = pending.get(host) ?? lookUp(host);
    pending.set(host, lookup);
    if (!addresses || age >= KEPT_MS) return lookup;
    lookup.catch(() => {});
    return addresses;
  };
}

/** Deletes addresses from before a time. The oldest are the first. */
function forget(known: Map<string, Known>, before: number): void {
  for (const [host, { at }] of known) {
    if (at >= before) return;
    known.delete(host);
  }
}
