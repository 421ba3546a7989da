import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../db/client/connect.js';
import type { FedChange } from '../../../db/identities/identity-feed.js';
import type { Client } from './client.js';

export const FEED = '/v2/developers/identities/changes';

/** The name of an account in the table of a follower. */
export const accountOf = ({
  integrationId,
  identity,
}: Pick<FedChange, 'integrationId' | 'identity'>): string => `${integrationId} ${identity}`;

/**
 * A consumer of the feed of changes: it keeps a table of owners and its last cursor. Each change must start from the owner that the table
 * has, so one that is missing, doubled or out of order is an error.
 */
export class Follower {
  readonly owners = new Map<string, string>();
  cursor: string | undefined;
  changes = 0;

  /** @param cursor from where to follow; undefined: from the oldest change */
  constructor(cursor?: string) {
    this.cursor = cursor;
  }

  apply(changes: readonly Omit<FedChange, 'jobId' | 'changedAt'>[]): void {
    for (const change of changes) {
      const account = accountOf(change);
      const known = this.owners.get(account) ?? null;
      if (known !== change.before)
        throw new Error(
          `${account} belongs to ${known}, not ${change.before} as the change to ${change.after} says`,
        );
      if (change.after === null) this.owners.delete(account);
      else this.owners.set(account, change.after);
      this.changes += 1;
    }
  }

  /** Applies the next page. Returns whether there is more. */
  async step(client: Client, { pageSize = 1_000, wait = 0 } = {}): Promise<boolean> {
    const since = this.cursor === undefined ? '' : `&since=${this.cursor}`;
    const prefer = wait > 0 ? { prefer: `wait=${wait}` } : {};
    const { status, body, text } = await client.get(`${FEED}?pageSize=${pageSize}${since}`, prefer);
    if (status !== 200) throw new Error(`${status}: ${text}`);
    this.apply(body.data);
    this.cursor = body.page.nextCursor;
    return body.page.hasMore;
  }

  async toEnd(client: Client, pageSize?: number): Promise<void> {
    while (await this.step(client, { pageSize: pageSize ?? 1_000 })) await sleep(0);
  }
}

/** Moves all changes in the feed into the past: after 31 days it no longer needs them. */
export async function ageFeed(database: Database, days = 31): Promise<void> {
  await database('import_changes')
    .whereNotNull('position')
    .update({ changed_at: database.raw('changed_at - INTERVAL ? DAY', [days]) as never });
}

/** Returns the owner of each account that has one. */
export async function storedOwners(database: Database): Promise<Map<string, string>> {
  const rows = await database('identities')
    .whereNotNull('email')
    .select('integration_id', 'identity', 'email');
  return new Map(
    rows.map((row) => [
      accountOf({ integrationId: Number(row.integration_id), identity: row.identity }),
      row.email ?? '',
    ]),
  );
}

/** The lines of a table of owners, sorted: Jest would take minutes to compare large maps. */
export const linesOf = (owners: ReadonlyMap<string, string>): string =>
  [...owners]
    .map(([account, owner]) => `${account} ${owner}`)
    .sort()
    .join('\n');
