import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { type Processes, startProcesses } from '../../support/servers/processes.js';

let muster: Processes;
beforeAll(async () => {
  muster = await startProcesses();
});
afterAll(() => muster.stop());

const ROWS = 30_000;

/** Returns rows with cells that need quoting, have leading zeros, or are not ASCII, mixed with plain ones. */
function makeRows(count: number): [string, string, string][] {
  return Array.from({ length: count }, (_, i) => {
    const email = `first.last${i % 9_973}@team-${i % 17}.example.com`;
    const identity = [`00${i}`, `Jürgen, "der ${i}."`, `用户-${i}`, `-octo ${i}`, `octo-cat-${i}`][
      i % 5
    ] as string;
    return [email, String(1 + (i % 23)), identity];
  });
}

const quote = (cell: string): string => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const byKey = (a: string[], b: string[]): number =>
  Number(a[1]) - Number(b[1]) || Buffer.compare(Buffer.from(a[2] as string), Buffer.from(b[2] as string));

test('30,000 rows are uploaded, downloaded identically, and uploaded again without changes', async () => {
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

test('a nightly mirror of an HR file: a file that was cut off changes nothing, a wrong one is taken back, and the rest is a worklist', async () => {
  const { client } = muster;
  const mirror = (rows: readonly string[], more = '') =>
    client.upload(
      `Login;Mail Address\n${rows.join('\n')}\n`,
      `?mode=mirror&integrationIds=700&integrationId=700&columns=email:Mail%20Address,identity:Login${more}`,
      { prefer: 'wait=60' },
    );
  const staff = Array.from({ length: 40 }, (_, i) => `dev-${i};dev${i}@example.com`);
  expect((await mirror(staff, '&maxRemovals=0&expectedRows=40')).body.counts).toMatchObject({ created: 40 });

  const cutOff = await mirror(staff.slice(0, 25), '&maxRemovals=20&expectedRows=40');
  expect([cutOff.status, cutOff.body.code]).toEqual([400, 'row_count_mismatch']);
  const dryRun = await mirror(staff.slice(0, 25), '&maxRemovals=20&dryRun=true');
  expect(dryRun.body.counts).toMatchObject({ removed: 15, unchanged: 25 });
  expect((await mirror(staff.slice(0, 25), '&maxRemovals=10')).body.code).toBe('too_many_removals');

  const wrong = await mirror(staff.slice(0, 25), '&maxRemovals=20');
  const changes = await client.get(`/v2/jobs/${wrong.body.jobId}/changes`);
  expect(parse(changes.text, { columns: true })).toHaveLength(15);
  const coverage = async () => (await client.get('/v2/integrations/700/coverage')).body.data;
  expect(await coverage()).toMatchObject({ accounts: 25, owners: 25, removed: 15 });
  const reverted = await client.send('POST', `/v2/jobs/${wrong.body.jobId}/revert`, {
    headers: { prefer: 'wait=60' },
  });
  expect(reverted.body.data.counts).toMatchObject({ restored: 15, skipped: 0 });
  expect(await coverage()).toMatchObject({ accounts: 40, owners: 40, removed: 0 });

  const history = await client.get('/v2/developers/identities/history?integrationId=700&identity=dev-39');
  expect(history.body.data.map(({ after }: { after: string | null }) => after)).toEqual([
    'dev39@example.com',
    null,
    'dev39@example.com',
  ]);

  const form = new FormData();
  form.append('file', new Blob(['Login,Name\ndev-3,\ndev.4,Dev4\n']), 'accounts.csv');
  const accepted = await client.send('POST', '/v2/integrations/700/worklists', { body: form });
  await client.jobEnd(accepted.body.jobId);
  const worklist = await client.get(`/v2/jobs/${accepted.body.jobId}/file`);
  expect(parse(worklist.text, { columns: true })).toMatchObject([{ identity: 'dev.4' }]);

  const left = new FormData();
  left.append('file', new Blob(['integrationId,identity\n700,dev-0\n700,nobody\n']), 'left.csv');
  const removed = await client.send('DELETE', '/v2/developers/identities', { body: left });
  expect(removed.body.counts).toMatchObject({ removed: 1, notFound: 1 });
});
