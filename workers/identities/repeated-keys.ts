import type { JobWarning } from '../../db/jobs/jobs.js';
import type { Contradiction, Contradictions } from './contradictions.js';
import { cut, quoteName } from './parse/header.js';

/** What an upload says more than once. */
export interface Repetitions {
  /** Rows whose key an earlier row has. */
  rows: number;
  contradictions: Pick<Contradictions, 'count' | 'first'>;
}

/** Characters of an owner that the warning shows. */
const MAX_OWNER = 60;

/** Returns the warning about repeated keys; it names the first keys that have different owners. */
export function repeatedKeys({ rows, contradictions }: Repetitions, place: 'line' | 'index'): JobWarning[] {
  if (rows === 0) return [];
  const what = rows === 1 ? '1 row repeats' : `${rows} rows repeat`;
  const message = `${what} the key of an earlier row; the last row of a key wins`;
  return [{ code: 'repeated_keys', message: message + differentOwners(contradictions, place), count: rows }];
}

function differentOwners({ count, first }: Repetitions['contradictions'], place: string): string {
  if (count === 0) return '';
  const what = count === 1 ? '1 key has different owners' : `${count} keys have different owners`;
  const shown = first.map((one) => describe(one, place));
  return `. ${what}: ${withMore(shown, count - first.length, '; ')}`;
}

function describe({ integrationId, identity, owners, moreOwners }: Contradiction, place: string): string {
  const shown = owners.map((owner) => `${cut(owner.email ?? '', MAX_OWNER)} (${place} ${owner.place})`);
  return `integrationId ${integrationId}, identity ${quoteName(identity)}: ${withMore(shown, moreOwners, ', ')}`;
}

const withMore = (shown: string[], more: number, separator: string): string =>
  [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(separator);
