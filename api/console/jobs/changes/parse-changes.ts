import type { parse as parseCsv } from 'csv-parse/browser/esm/sync';

/** What happened to the owner of an account. */
export interface Change {
  integrationId: string;
  identity: string;
  /** The owner before and after; null if there is none. */
  before: string | null;
  after: string | null;
  outcome: string;
  /** The line of the row, or its index after a JSON upload; null if no row names the account. */
  place: number | null;
}

/** A change and the number of its line in the text. */
export interface FoundChange {
  change: Change;
  line: number;
}

interface Search {
  /** How many lines to skip. */
  skip: number;
  /** Null finds all changes. */
  outcome: string | null;
  /** How many changes to find. */
  count: number;
}

/**
 * Returns the first changes in lines of a changes file. Each line is a row: no valid identity or email contains a line break.
 * Lines that cannot have the outcome are not parsed, so a search takes little longer than the download.
 */
export function findChanges(
  lines: readonly string[],
  { skip, outcome, count }: Search,
  parse: typeof parseCsv,
): FoundChange[] {
  const found: FoundChange[] = [];
  for (let line = skip; line < lines.length && found.length < count; line++) {
    const text = lines[line] as string;
    if (outcome !== null && !text.includes(`,${outcome},`)) continue;
    const change = toChange(parse(text)[0] as string[]);
    if (outcome === null || change.outcome === outcome) found.push({ change, line });
  }
  return found;
}

function toChange([integrationId, identity, before, after, outcome, place]: string[]): Change {
  return {
    integrationId: integrationId as string,
    identity: identity as string,
    before: before || null,
    after: after || null,
    outcome: outcome as string,
    place: place ? Number(place) : null,
  };
}
