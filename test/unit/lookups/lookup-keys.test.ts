import { BlockList } from 'node:net';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GlobPatterns } from '../../../db/lookups/glob-patterns.js';
import {
  hashesOfMatches,
  hashOfKey,
  keyOf,
  lengthOfKey,
  type Matching,
} from '../../../db/lookups/lookup-keys.js';
import { cases } from '../../support/effort.js';

/** Returns the key of a table that a key finds, as a revision is stored and read: by hashes and lengths alone. */
function find(matching: Matching, table: readonly string[], key: string): string | null {
  const rows = new Map(table.map((one) => [hashOfKey(matching, one)?.toString('hex'), one]));
  const lengths = [...new Set(table.flatMap((one) => lengthOfKey(matching, one) ?? []))].sort(
    (a, b) => b - a,
  );
  for (const hash of hashesOfMatches({ matching, lengths }, key)) {
    const found = rows.get(hash.toString('hex'));
    if (found !== undefined) return found;
  }
  return null;
}

/** Few characters, so that keys match. One is written in two ways, and one is two UTF-16 units. */
const text = fc
  .array(fc.constantFrom('a', 'A', 'b', '/', ' ', 'é', 'e\u0301', '😀'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''));
const nfc = (one: string) => one.normalize('NFC');

/** The last key of the table that matches best, as a reader of the table would find it. */
const naive = {
  exact: (table: string[], key: string) =>
    table.findLast((one) => nfc(one).trim() === nfc(key).trim()) ?? null,
  caseInsensitive: (table: string[], key: string) =>
    table.findLast((one) => nfc(one.toLowerCase()).trim() === nfc(key.toLowerCase()).trim()) ?? null,
  prefix: (table: string[], key: string) =>
    table
      .filter((one) => nfc(key).startsWith(nfc(one)))
      .reduce<string | null>(
        (best, one) => (best === null || nfc(one).length >= nfc(best).length ? one : best),
        null,
      ),
};

test.each(['exact', 'caseInsensitive', 'prefix'] as const)(
  '%s finds what a naive search finds',
  (matching) => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), text, (table, key) => {
        expect(find(matching, table, key)).toBe(naive[matching](table, key));
      }),
      { numRuns: cases(300) },
    );
  },
);

const octet = fc.constantFrom(0, 1, 10, 127, 128, 255);
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));
const ipv6 = fc
  .tuple(fc.constantFrom('2001:db8', 'fe80', '::1'), fc.nat(0xffff), fc.constantFrom('', '1', 'ffff'))
  .map(([start, middle, end]) => (start === '::1' ? start : `${start}:${middle.toString(16)}::${end}`));
const network = fc.oneof(
  fc.tuple(ipv4, fc.nat(32)).map(([address, bits]) => ({ address, bits, family: 'ipv4' as const })),
  fc.tuple(ipv6, fc.nat(128)).map(([address, bits]) => ({ address, bits, family: 'ipv6' as const })),
);
const written = ({ address, bits }: { address: string; bits: number }) => `${address}/${bits}`;

test('cidr finds the smallest network that contains an address, as Node does', () => {
  fc.assert(
    fc.property(
      fc.array(network, { maxLength: 30 }),
      fc.oneof(
        ipv4.map((address) => ({ address, family: 'ipv4' as const })),
        ipv6.map((address) => ({ address, family: 'ipv6' as const })),
      ),
      (table, { address, family }) => {
        const containing = table.filter((one) => {
          const list = new BlockList();
          list.addSubnet(one.address, one.bits, one.family);
          return one.family === family && list.check(address, family);
        });
        const best = Math.max(...containing.map(({ bits }) => bits));
        const found = find('cidr', table.map(written), address);
        expect(found === null ? -Infinity : Number(found.split('/')[1])).toBe(best);
        if (found !== null) expect(containing.map(written)).toContain(found);
      },
    ),
    { numRuns: cases(300) },
  );
});

test.each([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['::ffff:10.1.2.3', '10.0.0.0/8', true],
  ['10.1.2.3', '::ffff:10.0.0.0/104', true],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.0/24', '10.1.0.0/16', true],
  ['10.1.0.0/8', '10.1.0.0/16', false],
  ['10.1.2.3', '0.0.0.0/0', true],
  ['2001:db8::1', '0.0.0.0/0', false],
  ['2001:DB8:0::1', '2001:db8::/32', true],
  ['::1.2.3.4', '::102:304', true],
  ['::102:304', '::1.2.3.0/120', true],
  ['1.2.3.4', '::1.2.3.0/120', false],
  ['::1.2.3.4', '1.2.3.0/24', false],
  ['64:ff9b::1.2.3.4', '64:ff9b::102:304', true],
  ['1.2.3.4', '0:0:0:0:0:ffff:1.2.3.4', true],
  ['host', '0.0.0.0/0', false],
])('%s in %s: %s', (key, row, matches) => {
  expect(find('cidr', [row], key) !== null).toBe(matches);
});

test.each([
  '',
  'host',
  '10.1',
  '010.1.1.1',
  '10.0.0.0/33',
  '::/129',
  'fe80::1%eth0',
  '10.0.0.0/-1',
  '10.0.0.0/ 8',
])('%j is not a network', (key) => {
  expect(hashOfKey('cidr', key)).toBeNull();
});

const wild = fc
  .array(fc.constantFrom('a', 'b', '.', '*', '?', 'é', 'e\u0301', '😀'), { minLength: 1, maxLength: 7 })
  .map((parts) => parts.join(''));

test('glob finds what a regular expression finds, the pattern with the most literal characters first', () => {
  fc.assert(
    fc.property(fc.array(wild, { maxLength: 30 }), wild, (patterns, key) => {
      const toExpression = (text: string) =>
        new RegExp(`^${nfc(text).replaceAll('.', '[.]').replaceAll('?', '.').replaceAll('*', '.*')}$`, 'su');
      const literals = (text: string) => nfc(text).replace(/[*?]/g, '').length;
      const fitting = patterns.filter((one) => toExpression(one).test(nfc(key)));
      const most = Math.max(...fitting.map(literals));
      const best = fitting.find((one) => literals(one) === most) ?? null;
      const search = new GlobPatterns(patterns).search(key);
      let step = search.next();
      while (!step.done) step = search.next();
      expect(step.value.key).toBe(best);
    }),
    { numRuns: cases(500) },
  );
});

test('a key that nearly fits many patterns yields between them', () => {
  const patterns = Array.from({ length: 20 }, (_, at) => `*${'a'.repeat(400)}b${at}*`);
  expect([...new GlobPatterns(patterns).search('a'.repeat(1_000))].length).toBeGreaterThan(3);
});

test('patterns that end in another way than a key, or have a part that it lacks, are not compared with it', () => {
  const some = (end: string) => Array.from({ length: 1_000 }, (_, at) => `${'*a'.repeat(120)}*${at}b${end}`);
  for (const end of ['', '*'])
    expect([...new GlobPatterns(some(end)).search('a'.repeat(990))]).toHaveLength(1);
});

test('a key of several columns is a JSON array', () => {
  expect(keyOf(['web'])).toBe('web');
  expect(keyOf(['web ', ' a,b'])).toBe('["web","a,b"]');
});
