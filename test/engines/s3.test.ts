import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openFileStore } from '../../db/files/index.js';
import type { WorkerServices } from '../../workers/run/services.js';
import { Client } from '../support/api/client.js';
import { fillIdentities } from '../support/api/identities.js';
import { parseMetrics } from '../support/api/metrics.js';
import { describeEngine } from '../support/engines/describe-engine.js';
import { testFileStore } from '../support/files/file-store.js';
import { type Moto, startMoto, whyNoMoto } from '../support/servers/moto.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { until } from '../support/until.js';

const PATH = '/v2/developers/identities';
const EXPORTS = `${PATH}/exports`;
const ROWS = 20_000;
/** More than one page of a list. */
const FILES = 1_020;
const AT_ONCE = 60;
/** The rights of docs/operating/deploying.md, without a prefix. */
const RIGHTS = [
  {
    Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
    Resource: 'arn:aws:s3:::files/*',
  },
  { Action: ['s3:ListBucket'], Resource: 'arn:aws:s3:::files' },
];

describeEngine('S3: moto, which checks signatures and rights', whyNoMoto(), () => {
  let s3: Moto;
  let stack: Stack;
  let client: Client;
  beforeAll(async () => {
    s3 = await startMoto({ bucket: 'files', policy: RIGHTS });
    stack = await startStack({ env: { STORAGE_URL: s3.url('muster') } });
    client = await Client.of(stack);
    await fillIdentities(stack.database, ROWS);
  });
  afterAll(async () => {
    await stack?.stop();
    await s3?.stop();
  });

  describe('files', () => testFileStore(() => openFileStore(s3.url('files'))));

  test('all files are listed, also those of the second page', async () => {
    const files = openFileStore(s3.url('many'));
    const keys = Array.from({ length: FILES }, (_, i) => `uploads/${i}`);
    for (let at = 0; at < FILES; at += AT_ONCE) {
      const some = keys.slice(at, at + AT_ONCE);
      await Promise.all(some.map((key) => files.write(key, Readable.from([Buffer.from(key)]))));
    }
    const listed: string[] = [];
    for await (const key of files.list()) listed.push(key);
    expect(listed.sort()).toEqual(keys.sort());
  });

  test('a request for another bucket, or signed with another secret, is refused', async () => {
    const write = (url: string) => openFileStore(url).write('uploads/refused', Readable.from([]));
    const elsewhere = s3.url('files').replace('//files', '//others');
    await expect(write(elsewhere)).rejects.toMatchObject({ name: 'AccessDenied' });
    const { AWS_SECRET_ACCESS_KEY: secret } = process.env;
    process.env.AWS_SECRET_ACCESS_KEY = 'another';
    try {
      await expect(write(s3.url('files'))).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
    } finally {
      process.env.AWS_SECRET_ACCESS_KEY = secret;
    }
  });

  test('what is exported to it can be downloaded in part, and imported from it', async () => {
    const exported = await client.get(`${PATH}?format=csv`, { prefer: 'wait=30' });
    expect(exported.text.trimEnd().split('\n')).toHaveLength(ROWS + 1);
    const { body } = await client.json('POST', EXPORTS, {}, { prefer: 'wait=30' });
    const part = await client.get(`/v2/jobs/${body.data.id}/file`, { range: 'bytes=6-18' });
    expect([part.status, part.text]).toEqual([206, 'integrationId']);
    const { counts } = (await client.upload(exported.text)).body;
    expect(counts).toMatchObject({ total: ROWS, unchanged: ROWS });
  });

  test('while it is frozen, uploads get 503 and exports wait, in one attempt', async () => {
    const csv = 'email,integrationId,identity\nann@example.com,1,ann\n';
    s3.freeze(true);
    const { status, body } = await client.upload(csv);
    expect([status, body.code]).toEqual([503, 'unavailable']);
    const waiting = await client.json('POST', EXPORTS, {}, { prefer: 'respond-async' });
    await until(
      'the export waits',
      async () => {
        const metrics = parseMetrics(await (stack.worker as WorkerServices).metrics.scrape());
        return metrics.sum('muster_store_waiting') === 1;
      },
      60_000,
    );
    s3.freeze(false);
    expect((await client.upload(csv)).status).toBe(200);
    const { data } = (await client.jobEnd(waiting.body.data.id)).body;
    expect(data).toMatchObject({ state: 'completed', attempts: 1 });
  });
});
