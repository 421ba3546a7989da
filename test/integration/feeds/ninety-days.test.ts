import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-days-'));
  stack = await startStack({ env: { FEED_DIRECTORY: folder } });
  client = await Client.of(stack);
});
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
});

jest.setTimeout(120_000);

type Owners = Map<string, string>;

const HEADER = 'email,integrationId,identity\n';
const csv = (owners: Owners): string =>
  HEADER + [...owners].map(([identity, email]) => `${email},7,${identity}\n`).join('');

/** What goes wrong with the file of a day, by the day. The others are as they should be. */
const WRONG: Record<number, (text: string) => string> = {
  9: (text) => text.slice(0, text.length / 2),
  17: () => HEADER,
  18: () => '',
  30: (text) => text + text.slice(HEADER.length).replaceAll(',7,', ',7,copy-of-'),
  41: (text) => text.replaceAll('@example.com', '@other.example.com'),
  55: (text) => text.replaceAll(',7,', ',8,'),
  56: (text) => text.replace('email,integrationId', 'integrationId,email'),
  70: (text) => text.slice(0, HEADER.length + 200),
  71: (text) => text.slice(0, -7),
  85: () => '<!doctype html><title>Sign in</title>',
};
/** The same rows twice say nothing else than once, so this one is applied. */
const TWICE = 63;
/** On this day the file is the one of the day before. */
const SAME = 77;

test('in 90 days with truncated, empty, doubled and wrong files, a mirror removes nobody wrongly', async () => {
  const owners: Owners = new Map();
  for (let one = 0; one < 120; one++) owners.set(`account-${one}`, `person-${one % 50}@example.com`);
  const source = { kind: 'directory', path: 'hr.csv' };
  const settings = { name: 'HR', source, mirror: [7], guards: { maxRemovals: 6 } };
  const { id } = (await client.json('POST', '/v2/feeds', settings)).body.data;
  let [text, next] = [csv(owners), 1_000];
  const states: Record<string, number> = {};
  let applied = '';
  for (let day = 0; day < 90; day++) {
    const wrong = WRONG[day];
    if (!wrong && day !== SAME) {
      // Two leave, two join, and one account goes to somebody else.
      for (const identity of [...owners.keys()].slice(day % 5, (day % 5) + 2)) owners.delete(identity);
      for (let one = 0; one < 2; one++) owners.set(`account-${++next}`, `person-${next}@example.com`);
      owners.set([...owners.keys()][day] ?? '', `person-${day}@example.com`);
      text = csv(owners);
    }
    const sent = day === TWICE ? text + text.slice(HEADER.length) : (wrong?.(text) ?? text);
    writeFileSync(join(folder, 'hr.csv'), sent);
    const headers = { prefer: 'wait=30' };
    const { body } = await client.send('POST', `/v2/feeds/${id}/runs`, { headers });
    const runId = body.data?.id ?? body.jobId;
    const run = (await client.get(`/v2/feeds/${id}/runs/${runId}`)).body.data;
    states[run.state] = (states[run.state] ?? 0) + 1;
    // Only the doubled rows make more rows than half as many as before, which the guard does not let pass.
    const passes = !wrong && day !== TWICE;
    expect([day, run.state]).toEqual([
      day,
      passes ? (day === SAME ? 'unchanged' : 'applied') : expect.stringMatching(/^(held|failed)$/),
    ]);
    if (passes) applied = csv(owners);
    expect([day, await stored()]).toEqual([day, sorted(applied)]);
  }
  expect(states).toEqual({ applied: 78, unchanged: 1, held: 5, failed: 6 });
  const tried = await client.json('POST', `/v2/feeds/${id}/guards/try`, { maxRemovals: 1 });
  expect(tried.body.summary).toEqual({ runs: 83, held: 82 });
  const loose = {
    maxRowsChange: null,
    maxRemovalShare: null,
    maxOwnerChangeShare: null,
    sameColumns: false,
    sameEnd: false,
  };
  const free = await client.json('POST', `/v2/feeds/${id}/guards/try`, { ...loose, minRows: 0 });
  expect(free.body.summary).toEqual({ runs: 83, held: 0 });
});

async function stored(): Promise<string[]> {
  const { text } = await client.send('GET', '/v2/developers/identities?format=csv', { headers: {} });
  const rows = text.trim().split('\n').slice(1);
  return rows.map((row: string) => row.split(',').slice(0, 3).join()).sort();
}
const sorted = (text: string): string[] => text.trim().split('\n').slice(1).sort();
