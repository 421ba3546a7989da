import { expect, test } from '@jest/globals';
import { Ranking } from '../../../workers/worklist/ranking.js';
import { type KnownAccount, knownAccounts, knownIdentities } from './known-cases.js';

const INTEGRATION = 99;
const accounts = knownAccounts();

async function rankAll() {
  const ranking = await Ranking.of(accounts, INTEGRATION);
  for (const row of knownIdentities()) ranking.add(...row);
  ranking.end();
  return accounts.map((account, at) => ({ account, candidates: ranking.candidates(at) }));
}

const isOwned = ({ account }: { account: KnownAccount }) => account.owner !== null;

/**
 * Measured when this was written: the first candidate was right for 103 of 104 accounts that had any, and 104 of 113 owners were found. With
 * names in reverse order without a separator, and without the initials of a display name as proof of it, it was 110 of 110 and 110 of 113.
 * The list is small and tidy. In the `.mailmap` files of two public projects, where most addresses are private ones, the first candidate
 * was right for 95% (git, 196 addresses, half of which had candidates) and 82% (SymPy, 368 addresses, a third).
 */
test('the first candidate is the owner for nearly all accounts that have candidates', async () => {
  const suggested = (await rankAll()).filter(
    ({ account, candidates }) => account.owner && candidates.length > 0,
  );
  const wrong = suggested.filter(({ account, candidates }) => candidates[0]?.email !== account.owner);
  expect(suggested.length).toBeGreaterThan(100);
  expect(wrong.map(({ account }) => account.identity).length / suggested.length).toBeLessThan(0.02);
});

test('the owner is among the candidates of nearly all accounts that have one', async () => {
  const owned = (await rankAll()).filter(isOwned);
  const found = owned.filter(({ account, candidates }) =>
    candidates.some(({ email }) => email === account.owner),
  );
  expect(found.length / owned.length).toBeGreaterThan(0.95);
});

test('accounts of machines and strangers have no candidates', async () => {
  const strangers = (await rankAll()).filter((one) => !isOwned(one));
  expect(strangers).toHaveLength(10);
  expect(strangers.filter(({ candidates }) => candidates.length > 0)).toEqual([]);
});
