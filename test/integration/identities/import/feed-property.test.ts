import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type FeedPlace, readFeedPage } from '../../../../api/change-feed/feed-page.js';
import { Follower, linesOf, storedOwners } from '../../../support/api/follower.js';
import { type Crash, crashing, type ImportDesk, openImportDesk } from '../../../support/api/import-desk.js';
import { cases, enoughTime } from '../../../support/effort.js';

let desk: ImportDesk;
beforeAll(async () => {
  desk = await openImportDesk();
});
afterAll(() => desk.close());

jest.setTimeout(enoughTime(180_000));

const key = fc.record({
  integrationId: fc.constantFrom(1, 2),
  identity: fc.constantFrom('a', 'b, "c"', 'd', '\uE000', '😀'),
});
const email = fc.constantFrom('x@example.com', 'y@example.com', '"ox"@example.com');
const upload = fc.record({
  what: fc.constantFrom('assert', 'assert', 'mirror', 'remove', 'dry run'),
  rows: fc.array(fc.tuple(key, email), { minLength: 1, maxLength: 8, size: 'max' }),
});
/** `of` selects a job that has been accepted: to revert it, or to apply it if it is a dry run. */
const after = fc.record({ what: fc.constantFrom('revert', 'apply'), of: fc.nat() });
const crash: fc.Arbitrary<Crash> = fc.record({
  transaction: fc.nat({ max: 5 }),
  at: fc.constantFrom('before', 'rolled back', 'committed', 'closing', 'deadlock', 'lost'),
});
const step = fc.record({
  one: fc.oneof({ weight: 3, arbitrary: upload }, { weight: 1, arbitrary: after }),
  crashes: fc.array(crash, { maxLength: 2 }),
  /** How many pages the follower reads then, and of which size. It keeps its last cursor in between. */
  pages: fc.nat({ max: 3 }),
  limit: fc.integer({ min: 1, max: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A consumer that knows nothing but its table and its place. */
class PageFollower extends Follower {
  place: FeedPlace | 'now' = 'now';

  async read(limit: number): Promise<boolean> {
    const { changes, next, hasMore } = await readFeedPage(desk.database, {
      from: this.place,
      limit,
      primary: desk.database,
      withinMs: 10_000,
    });
    this.apply(changes);
    this.place = next;
    return hasMore;
  }
}

const settings = () => ({ ...desk.settings, importChunkRows: 2, importLanes: 3 });

async function accept(
  { one }: Step,
  jobs: readonly { id: string; isDryRun: boolean }[],
): Promise<string | null> {
  if ('of' in one) {
    const targets = jobs.filter(({ isDryRun }) => isDryRun === (one.what === 'apply'));
    const target = targets[one.of % Math.max(1, targets.length)];
    if (!target) return null;
    return one.what === 'apply' ? desk.acceptApply(target.id) : desk.acceptRevert(target.id);
  }
  const { what, rows } = one;
  const records = rows.map(([of, owner]) => ({ ...of, ...(what === 'remove' ? {} : { email: owner }) }));
  return desk.accept({
    content: JSON.stringify(records),
    format: 'json',
    action: what === 'remove' ? 'remove' : 'assert',
    onError: 'abort',
    dryRun: what === 'dry run',
    ...(what === 'mirror' ? { mirror: { integrationIds: [1, 2], maxRemovals: 100 } } : {}),
  });
}

/** Each job is delivered to workers that are interrupted while another one works on it and on the job before, and then to one that ends it. */
async function workOff(id: string, { crashes }: Step, before: Promise<void>): Promise<void> {
  const deliver = (worker: object = {}) => desk.deliver(id, { settings: settings(), ...worker });
  await Promise.allSettled(crashes.map((how) => deliver(crashing(desk.database, how))));
  await deliver();
  await before;
}

test('a follower ends with the table, through crashes, reverts and applied plans of several workers, whenever it reads', async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { minLength: 3, maxLength: 8, size: 'max' }), async (steps) => {
        const follower = new PageFollower();
        await follower.read(1);
        const jobs: { id: string; isDryRun: boolean }[] = [];
        let before = Promise.resolve();
        for (const one of steps) {
          // A revert and an apply need the end of the job that they are of.
          if ('of' in one.one) await before;
          const id = await accept(one, jobs);
          if (id === null) continue;
          before = workOff(id, one, before);
          if (!('of' in one.one)) jobs.push({ id, isDryRun: one.one.what === 'dry run' });
          for (let page = 0; page < one.pages; page++) await follower.read(one.limit);
        }
        await before;
        while (await follower.read(3));
        expect(linesOf(follower.owners)).toBe(linesOf(await storedOwners(desk.database)));
      })
      .afterEach(async () => {
        // As if all of these had never been: the next follower starts from an empty table.
        await desk.database('identities').delete();
        await desk.database('identity_mirrors').delete();
      }),
    { numRuns: cases(16) },
  );
});
