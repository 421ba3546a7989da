import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startStack } from '../../../support/servers/stack.js';
import { theRow } from '../../../support/the-row.js';
import { desk, good, header, jobs, proxy, rows, upload, useDesk } from './desk.js';

useDesk();

test('an upload is retried when its connection is lost, and creates one job', async () => {
  writeFileSync(desk.file, rows(50_000));
  const broken = await proxy();
  broken.cutAfterBytes(300_000);
  const { code, out, screen } = await upload([desk.file], { env: { MUSTER_URL: broken.url } });
  expect(screen).toMatch(/dropped the connection \(\w+\); retrying in 1 s\n/);
  expect(out).toMatch(/created +50,000/);
  expect(code).toBe(0);
  expect(await jobs()).toHaveLength(1);
});

test('an upload whose response was lost is not carried out twice', async () => {
  writeFileSync(desk.file, header + good('ann'));
  const broken = await proxy();
  broken.cutResponse('PATCH');
  const { code, out } = await upload([desk.file], { env: { MUSTER_URL: broken.url } });
  expect(code).toBe(0);
  expect(out).toContain('created     1');
  expect(broken.cuts()).toBe(1);
  expect(await jobs()).toHaveLength(1);
});

test('requests for the job and its file are retried when their connections are lost', async () => {
  writeFileSync(desk.file, `${header}${good('ann')}bob@example.com,seven,bob\n`);
  const broken = await proxy();
  for (const start of ['GET /v2/jobs', 'GET /v2/jobs']) broken.cutResponse(start);
  const onScreen = (text: string) => {
    if (text.includes('Failed') && broken.cuts() === 2) broken.cutResponse('GET /v2/jobs');
  };
  const { code, screen } = await upload([desk.file], { env: { MUSTER_URL: broken.url }, onScreen });
  expect(code).toBe(1);
  // The same reason is shown only once.
  expect(screen.match(/dropped the connection/g)).toHaveLength(1);
  expect(broken.cuts()).toBe(3);
  expect(readFileSync(join(desk.folder, 'team.rejected.csv'), 'utf8')).toContain('seven');
});

test('after an attempt that died with its API host, the client waits until its key is free again', async () => {
  writeFileSync(desk.file, header + good('ann'));
  const broken = await proxy();
  broken.cutResponse('PATCH');
  // The state after a killed API: the key is held, and no response is stored.
  const asIfKilled = { status: null, lease_until: new Date(Date.now() + 3_000) };
  let left: Promise<unknown> | undefined;
  const onScreen = (text: string) => {
    if (text.includes('retrying'))
      left ??= desk.stack.database('idempotency_records').update(asIfKilled).then();
  };
  const { code, screen } = await upload([desk.file], { env: { MUSTER_URL: broken.url }, onScreen });
  await left;
  expect(screen).toMatch(/still counts as in progress.*; retrying in 2 s/);
  expect(code).toBe(0);
});

test('after a 503 the client waits for the time in Retry-After', async () => {
  writeFileSync(desk.file, header + good('ann'));
  const limited = await startStack();
  limited.api.redis.disconnect();
  const env = { MUSTER_URL: limited.url, MUSTER_API_KEY: await limited.key() };
  let back: Promise<void> | undefined;
  const onScreen = (text: string) => {
    if (text.includes('returned 503')) back ??= limited.api.redis.connect();
  };
  const { code, screen } = await upload([desk.file], { env, onScreen });
  await back;
  await limited.stop();
  expect(screen).toMatch(/returned 503: The queue is unavailable.*; retrying in 2 s/);
  expect(code).toBe(0);
});

test('a timeout ends the wait, not the job', async () => {
  const idle = await startStack({ worker: false });
  writeFileSync(desk.file, header + good('ann'));
  const env = { MUSTER_URL: idle.url, MUSTER_API_KEY: await idle.key() };
  const { code, screen } = await upload([desk.file, '--timeout', '0.3'], { env });
  expect(code).toBe(1);
  expect(screen).toMatch(/The job did not finish within 0.3 s\.\nTo see job [\w-]+:\n {2}curl /);
  expect((await theRow(idle.database('jobs').first())).state).toBe('queued');
  await idle.stop();
});

test('Ctrl-C before the whole file is sent: nothing is accepted', async () => {
  writeFileSync(desk.file, rows(50_000));
  const broken = await proxy();
  broken.cutAfterBytes(300_000);
  const stop = new AbortController();
  const onScreen = (text: string) => text.includes('retrying') && stop.abort(130);
  const { code, screen } = await upload([desk.file], { env: { MUSTER_URL: broken.url }, stop, onScreen });
  expect(code).toBe(130);
  expect(screen).toContain('Stopped before the whole file was sent. Nothing will be written.');
  expect(await jobs()).toEqual([]);
});

test('Ctrl-C leaves the job running and says so', async () => {
  const idle = await startStack({ worker: false });
  writeFileSync(desk.file, header + good('ann'));
  const stop = new AbortController();
  const env = { MUSTER_URL: idle.url, MUSTER_API_KEY: await idle.key() };
  const onScreen = (text: string) => text.includes('Accepted') && setImmediate(() => stop.abort(130));
  const { code, screen } = await upload([desk.file], { env, stop, onScreen });
  const job = await theRow(idle.database('jobs').first());
  expect(code).toBe(130);
  expect(screen).toContain(`Stopped watching. The job continues.\nTo see job ${job.id}:`);
  expect(job.state).toBe('queued');
  await idle.stop();
});

const _wrongKey = 'mstr_00000000000000000000000000000000000000';
