import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { complaintIn } from '../../../scripts/logs/complaint.js';
import { followLog, rotateLog } from '../../../scripts/logs/follow.js';
import { lastComplaint, lastLogLine } from '../../../scripts/logs/tail.js';
import { until } from '../../support/until.js';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-logs-'));
  file = join(folder, 'api.log');
});

afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  ['pino', '{"level":30,"time":1,"pid":1,"hostname":"h","name":"api","msg":"API listens"}', undefined],
  ['pino', '{"level":40,"time":1,"name":"api","msg":"slow","ms":12}', 'slow ms=12'],
  ['pino', '{"level":50,"time":1,"msg":"failed","error":"no such table"}', 'failed error=no such table'],
  ['pino', 'PORT: must be a number', 'PORT: must be a number'],
  ['pino', '    at main (file:///app/main.js:1:2)', undefined],
  ['pino', 'Node.js v20.20.2', undefined],
  ['mariadb', '2026-01-01 10:00:00 0 [Note] mariadbd: ready for connections.', undefined],
  ['mariadb', '2026-01-01 10:00:00 0 [ERROR] Unknown option', 'Unknown option'],
  ['mariadb', "ERROR: 1051  Unknown table 'mysql.tmp'", "1051  Unknown table 'mysql.tmp'"],
  ['mariadb', '2026-01-01 10:00:00 0 [ERROR] Aborting', undefined],
  ['mariadb', '2026-01-01 10:00:00 0 [ERROR] The disk is full. Aborting', 'The disk is full. Aborting'],
  ['mariadb', '2026-01-01T10:00:00Z 0 [ERROR] [MY-010119] [Server] Aborting', undefined],
  ['redis', '12:M 01 Jan 2026 10:00:00.000 # User requested shutdown...', undefined],
  ['redis', '12:M 01 Jan 2026 10:00:00.000 # WARNING Memory overcommit must be enabled! fail', undefined],
  ['redis', '12:M 01 Jan 2026 10:00:00.000 # Error writing to the AOF file', 'Error writing to the AOF file'],
] as const)('in the log of %s: %s', (style, line, complaint) => {
  expect(complaintIn(line, style)).toBe(complaint);
});

test('the reason of an uncaught error is the line with its message', () => {
  const crash = [
    'file:///app/main.js:1',
    'throw new TypeError("no host")',
    '^',
    '',
    'TypeError: no host',
    '    at file:///app/main.js:1:7 {',
    "  code: 'ERR_INVALID_ARG_TYPE'",
    '}',
    '',
    'Node.js v20.20.2',
  ];
  writeFileSync(file, crash.join('\n'));
  expect(lastComplaint(file, 'pino')).toBe('TypeError: no host');
  expect(lastLogLine(file)).toBe('Node.js v20.20.2');
});

test('the last line is the reason why MySQL ends, not that it has ended', () => {
  const reason = '2026-01-01T10:00:00.000000Z 0 [ERROR] [MY-010119] [Server] Aborting';
  const ends = ['[MY-010910] [Server] mysqld: Shutdown complete', '[MY-015016] [Server] MySQL Server - end.'];
  writeFileSync(
    file,
    [reason, ...ends.map((end) => `2026-01-01T10:00:01.000000Z 0 [System] ${end}`)].join('\n'),
  );
  expect(lastLogLine(file)).toBe(reason);
});

test('errors of an earlier run are ignored', () => {
  const earlier = 'Error: long ago\n';
  writeFileSync(file, `${earlier}{"level":30,"msg":"fine"}\n`);
  expect(lastComplaint(file, 'pino', earlier.length)).toBe('');
  expect(lastComplaint(join(folder, 'none'), 'pino')).toBe('');
});

test('a followed log returns its new lines, each complete, and the last one when it ends', async () => {
  writeFileSync(file, 'old\n');
  const lines: string[] = [];
  const end = followLog(file, (line) => lines.push(line));
  appendFileSync(file, 'one\ntw');
  await until('the first line is there', () => lines.length === 1);
  appendFileSync(file, 'o\nthree\n');
  end();
  expect(lines).toEqual(['one', 'two', 'three']);
});

test('a log of more than 10 MB is rotated', () => {
  writeFileSync(file, 'small');
  rotateLog(file);
  expect(existsSync(`${file}.1`)).toBe(false);
  writeFileSync(file, Buffer.alloc(11 * 1024 * 1024));
  rotateLog(file);
  expect([existsSync(file), existsSync(`${file}.1`)]).toEqual([false, true]);
  rotateLog(file);
});
