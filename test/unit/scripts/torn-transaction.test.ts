import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { dropTornTransaction } from '../../../scripts/private-servers/torn-transaction.js';

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'muster-torn-'));
  mkdirSync(join(home, 'appendonlydir'));
  file = join(home, 'appendonlydir/appendonly.aof.2.incr.aof');
  const files = ['base.rdb seq 1 type b', '1.incr.aof seq 1 type i', '2.incr.aof seq 2 type i'];
  const lines = files.map((name) => `file appendonly.aof.${name}\n`);
  writeFileSync(join(home, 'appendonlydir/appendonly.aof.manifest'), lines.join(''));
});
afterEach(() => rmSync(home, { recursive: true }));

/** Returns a command as Redis writes it. */
const command = (...words: string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`;

/** Returns what is left of a file. */
function leftOf(content: string): string {
  writeFileSync(file, content);
  dropTornTransaction(home, join(home, 'redis.log'));
  return readFileSync(file, 'utf8');
}

const MULTI = command('MULTI');
const whole =
  command('SELECT', '0') + MULTI + command('INCR', 'n') + command('EXEC') + command('SET', 'a', '1');
const torn = MULTI + command('SET', 'b', '2') + command('LPUSH', 'list', 'c') + command('EXEC');

test('a transaction that was cut off anywhere is removed as a whole, and nothing else', () => {
  for (let cut = 0; cut <= torn.length; cut++) {
    const rest = torn.slice(0, cut);
    // Redis removes a part of MULTI itself.
    const isTorn = cut >= MULTI.length && cut < torn.length;
    expect([cut, leftOf(whole + rest)]).toEqual([cut, isTorn ? whole : whole + rest]);
  }
  expect(readFileSync(join(home, 'redis.log'), 'utf8')).toMatch(
    /^Muster removed 15 bytes at the end of .*\n/,
  );
});

test('a value that looks like the start of a transaction is kept', () => {
  const value = command('SET', 'a', `${MULTI}and more`);
  expect(leftOf(whole + value)).toBe(whole + value);
});

test('a Redis without an append-only file is left alone', () => {
  rmSync(join(home, 'appendonlydir'), { recursive: true });
  expect(() => dropTornTransaction(home, join(home, 'redis.log'))).not.toThrow();
});
