import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { type Processes, startProcesses } from '../../support/servers/processes.js';

let muster: Processes;
beforeAll(async () => {
  muster = await startProcesses();
});
afterAll(() => muster.stop());

const ROWS = 100_000;

/** Returns rows with cells that need quoting, have leading zeros, or are not ASCII, mixed with plain ones. */
function makeRows(count: number): [string, string, string][] {
  return Array.from({ length: count }, (_, i) => {
    const email = `first.last${i % 9_973}@team-${i % 17}.example.com`;
    const identity = [`00${i}`, `Jürgen, "der ${i}."`, `用户-${i}`, `=SUM(${i})`, `octo-cat-${i}`][
      i % 5
    ] as string;
    return [email, String(1 + (i % 23)), identity];
  });
}

const quote = (cell: string): string => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const byKey = (a: string[], b: string[]): number =>
  Number(a[1]) - Number(b[1]) || Buffer.compare(Buffer.from(a[2] as string), Buffer.from(b[2] as string));

test('100,000 rows are uploaded, downloaded identically, and uploaded again without changes', async () => {
  const { client } = muster;
  const rows = makeRows(ROWS);
  const csv = ['email,integrationId,identity', ...rows.map((row) => row.map(quote).join(','))].join('\r\n');

  const accepted = await client.upload(csv, '', { prefer: 'respond-async' });
  expect(accepted.status).toBe(202);
  const job = await client.jobEnd(accepted.body.jobId);
  expect(job.body.data).toMatchObject({
    state: 'completed',
    counts: { total: ROWS, created: ROWS, updated: 0, unchanged: 0, superseded: 0, rejected: 0 },
    warnings: [],
  });

  const download = await client.get('/v2/developers/identities', { accept: 'text/csv' });
  expect(download.status).toBe(200);
  expect(Number(download.headers.get('content-length'))).toBe(Buffer.byteLength(download.text));
  const [header, ...found] = parse(download.text) as string[][];
  expect(header).toEqual(['email', 'integrationId', 'identity']);
  expect(found.sort(byKey)).toEqual(rows.sort(byKey));

  const again = await client.upload(download.text, '', { prefer: 'wait=60' });
  expect(again.body.counts).toMatchObject({ total: ROWS, created: 0, updated: 0, unchanged: ROWS });
}, 120_000);

test('JSON pages contain every row once', async () => {
  const { client } = muster;
  const seen = new Set<string>();
  let path: string | null = '/v2/developers/identities?pageSize=1000&integrationIds=3,5';
  while (path) {
    const { body, headers } = await client.get(path);
    for (const { integrationId, identity } of body.data) seen.add(`${integrationId}/${identity}`);
    path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
  }
  const expected = makeRows(ROWS).filter(([, id]) => id === '3' || id === '5').length;
  expect(seen.size).toBe(expected);
});
