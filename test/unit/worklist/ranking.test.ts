import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Account } from '../../../workers/worklist/account.js';
import { Ranking } from '../../../workers/worklist/ranking.js';

type Row = [email: string, integrationId: number, identity: string];
const account = (identity: string, name = '', email = ''): Account => ({ identity, name, email });

/** Ranks the developers who own these identities as owners of one account in account system 7. */
async function candidates(one: Account, ...rows: Row[]) {
  const ranking = await Ranking.of([one], 7);
  for (const row of rows) ranking.add(...row);
  ranking.end();
  return ranking.candidates(0);
}

const ADA: Row = ['ada.lovelace@example.com', 8, 'countess'];

test.each<[string, Account, string]>([
  ['email', account('x', '', 'Ada.Lovelace@example.com'), 'the same email'],
  ['identity that is an email', account('Ada.Lovelace@example.com'), 'the same email'],
  ['local part', account('ada.lovelace'), 'the same local part'],
  ['alias', account('Countess'), 'known alias in account system 8'],
  ['similar alias', account('count_ess'), 'normalized name of an alias in account system 8'],
  ['separators', account('Ada-Lovelace'), 'normalized name'],
  ['accents', account('Áda Løvelace'), 'normalized name'],
  ['order', account('Lovelace, Ada'), 'normalized name'],
  ['order without separators', account('lovelaceada'), 'the names in another order'],
  ['initials', account('alovelace'), 'initials and last name'],
  ['first name and initial', account('adal'), 'first name and initial'],
  ['a typo', account('ada.lovelcae'), 'edit distance 1'],
  ['digits', account('adalovelace1815'), 'the same name without digits'],
  ['one name', account('lovelace'), 'one of the names'],
  ['a domain', account('CORP\\ada.lovelace'), 'the same local part'],
  ['a noreply address', account('1234+countess@users.noreply.github.com'), 'known alias in account system 8'],
  ['display name', account('u1815', 'Ada Lovelace'), 'display name: normalized name'],
])('a candidate is found by %s', async (_, one, reason) => {
  const [first] = await candidates(one, ADA);
  expect(first).toMatchObject({ email: ADA[0], reason: expect.stringMatching(new RegExp(`^${reason}`)) });
});

test.each(['info', 'Admin', 'root', 'git2', '', '?', '王'])('%j suggests nobody', async (identity) => {
  expect(
    await candidates(account(identity), ['info@example.com', 8, 'admin'], ['git@example.com', 8, 'root']),
  ).toEqual([]);
});

test.each(['null', 'N/A', 'undefined', '-', '#N/A', '(blank)'])('%s suggests nobody', async (text) => {
  const row: Row = ['info@example.com', 8, text];
  expect(await candidates(account(text), row)).toEqual([]);
  expect(await candidates(account('x1', text), row)).toEqual([]);
});

test('stronger evidence comes first, then more evidence, then the order of the emails', async () => {
  const rows: Row[] = [
    ['a.king@example.com', 8, 'x1'],
    ['aking2@example.com', 8, 'x2'],
    ['aking@example.com', 8, 'x3'],
    ['b@example.com', 8, 'aking'],
    ['c@example.com', 8, 'aking'],
  ];
  const found = await candidates(account('aking'), ...rows);
  expect(found.map(({ email }) => email)).toEqual([
    'b@example.com',
    'c@example.com',
    'aking@example.com',
    'a.king@example.com',
    'aking2@example.com',
  ]);
  const more = await candidates(
    account('aking'),
    ['aking@example.com', 8, 'aking'],
    ['d@example.com', 8, 'aking'],
  );
  expect(more.map(({ email }) => email)).toEqual(['aking@example.com', 'd@example.com']);
  expect(more[0]?.reason).toBe('known alias in account system 8; the same local part');
});

test('an account has at most five candidates, and one of everything is enough', async () => {
  const rows = Array.from({ length: 5_000 }, (_, i): Row => [`ada@${i}.example.com`, 8, `x${i}`]);
  expect(await candidates(account('ada'), ...rows)).toHaveLength(5);
});

test('an account with an owner is owned, and other spellings of its name are not', async () => {
  const ranking = await Ranking.of([account('ada'), account('ADA')], 7);
  ranking.add('ada@example.com', 7, 'ada');
  ranking.end();
  expect([ranking.isOwned(0), ranking.isOwned(1)]).toEqual([true, false]);
  expect(ranking.candidates(1)[0]?.email).toBe('ada@example.com');
});

test('thousands of similar names do not hide the same name', async () => {
  const similar = Array.from({ length: 3_000 }, (_, i): Row => [`david.a${i}@example.com`, 8, `x${i}`]);
  const found = await candidates(account('david'), ...similar, ['david@example.com', 8, 'y']);
  expect(found[0]?.email).toBe('david@example.com');
});

test('numbers are neither misspelled nor initials', async () => {
  const numbered: Row[] = [
    ['u10441@example.com', 8, 'octo-1'],
    ['x@example.com', 8, 'u10443'],
  ];
  expect(await candidates(account('u10442'), ...numbered)).toEqual([]);
  expect(await candidates(account('octo-2'), ...numbered, ['y@example.com', 8, 'octo-27'])).toEqual([]);
  expect(await candidates(account('otco-1'), ...numbered)).toMatchObject([{ email: 'u10441@example.com' }]);
});

test('a full display name of somebody else lowers a score', async () => {
  const rows: Row[] = [
    ['jane.smith@example.com', 8, 'jsmith2'],
    ['john.smith@example.com', 8, 'jsmith'],
  ];
  expect((await candidates(account('jsmith'), ...rows))[0]?.email).toBe('john.smith@example.com');
  expect((await candidates(account('jsmith', 'Jane Smith'), ...rows))[0]?.email).toBe(
    'jane.smith@example.com',
  );
});

describe('every name that resembles a local part is found', () => {
  const word = fc.string({ unit: fc.constantFrom(...'bcdfghklmnrstvz'), minLength: 4, maxLength: 9 });
  const letter = fc.constantFrom(...'bcdfghk');
  const owner = 'owner@example.com';
  const found = async (identity: string, alias: string) =>
    (await candidates(account(identity), [owner, 8, alias])).length;

  test('with one edit anywhere', async () => {
    const edit = fc.constantFrom('insert', 'delete', 'replace', 'swap');
    await fc.assert(
      fc.asyncProperty(word, word, edit, fc.nat(), letter, async (first, last, kind, place, inserted) => {
        const name = first + last;
        const at = place % (name.length - 1);
        const rest = { insert: at, delete: at + 1, replace: at + 1, swap: at + 2 }[kind];
        const middle = {
          insert: inserted,
          delete: '',
          replace: inserted,
          swap: `${name[at + 1]}${name[at]}`,
        }[kind];
        return (await found(name.slice(0, at) + middle + name.slice(rest), name)) === 1;
      }),
    );
  });

  test('in any case, order and with any separator', async () => {
    const join = fc.constantFrom<(first: string, last: string) => string>(
      (first, last) => `${first}.${last}`,
      (first, last) => `${last}_${first}`,
      (first, last) => `${last}, ${first}`.toUpperCase(),
      (first, last) => `${first[0]}${last}`,
      (first, last) => `${first}${last[0]}`,
      (first, last) => `${first}${last}42`,
    );
    await fc.assert(
      fc.asyncProperty(
        word,
        word,
        join,
        async (first, last, joined) => (await found(joined(first, last), `${first}.${last}`)) === 1,
      ),
    );
  });
});
