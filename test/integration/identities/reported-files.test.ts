import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { testUnless } from '../../support/test-unless.js';

const FOLDER = join(import.meta.dirname, '../../../../shared/data/reports/identities');
const testFiles = testUnless(existsSync(FOLDER) ? null : '../shared/data/reports is not there');
const PATH = '/v2/developers/identities';

let stack: Stack;
let client: Client;
let key: string;
beforeAll(async () => {
  stack = await startStack();
  key = await stack.key();
  client = new Client(stack.url, key);
});
afterAll(() => stack.stop());

const run = promisify(execFile);

/** Sends a reported file with curl, as the reports did. */
async function send(method: string, form: string, query = '') {
  const args = [
    '-sS',
    '-X',
    method,
    '-H',
    `Authorization: ApiKey ${key}`,
    '-F',
    form,
    stack.url + PATH + query,
  ];
  return JSON.parse((await run('curl', args, { cwd: FOLDER })).stdout);
}

const identities = async (): Promise<string[]> =>
  (await client.get(PATH)).body.data.map(({ identity }: { identity: string }) => identity).sort();

testFiles.each([
  ['file=@20d-curl-qp-crlf.csv;encoder=quoted-printable', 797638, ['Müller', 'acct=1']],
  ['file=@20d-curl-qp-crlf.csv;encoder=base64', 797638, ['Müller', 'acct=1']],
  [
    'file=@20-curl-encoder.csv;encoder=quoted-printable',
    700805,
    ['Müller=1', 'a-rather-long-account-name-for-wrapping'],
  ],
  ['file=@14-part-charset-latin1.csv;type=text/csv;charset=ISO-8859-1', 783015, ['Müller']],
  ['file=@31-sjis.csv;type=text/csv;charset=Shift_JIS', 709657, ['山田']],
])(
  'a reported file is imported, mirrored and removed decoded: curl -F "%s"',
  async (form, integration, names) => {
    const imported = await send('PATCH', form);
    const stored = await identities();
    expect(stored).toEqual(expect.arrayContaining(names));
    expect(imported.counts).toMatchObject({ total: stored.length, created: stored.length });
    const mirrored = await send('PATCH', form, `?mode=mirror&integrationIds=${integration}&maxRemovals=0`);
    expect(mirrored.counts).toMatchObject({ unchanged: stored.length, removed: 0 });
    expect((await send('DELETE', form)).counts).toMatchObject({ removed: stored.length, notFound: 0 });
  },
);

testFiles.each(['16-multi-member.csv.gz', '16g-double.csv.gz'])(
  'a reported gzip file is read or rejected as before: %s',
  async (name) => {
    const { code, counts } = await send('PATCH', `file=@${name}`, '?dryRun=true');
    expect([code, counts?.rejected]).toEqual(
      name.includes('double') ? ['not_csv', undefined] : [undefined, 0],
    );
  },
);
