import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { balanceOfCounts, Fault } from '../support/faults/fault.js';
import { mountSmallDisk } from '../support/faults/small-disk.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

/** Room for 48 connections, each with a file. */
const DESCRIPTORS = 256;
const CLIENTS = 240;
const REQUESTS = 200;
/** If this user may not mount a small disk, the log never has space. */
const disk = mountSmallDisk(1024);
const logFile = disk ? join(disk.folder, 'muster.log') : '/dev/full';

let muster: Processes;
beforeAll(async () => {
  muster = await startProcesses({ descriptors: DESCRIPTORS, logFile });
}, 120_000);
afterAll(async () => {
  await muster?.stop();
  disk?.unmount();
});

/**
 * Sends a request over a separate connection, which stays open. Resolves to the status, or to null if the connection
 * is closed immediately.
 */
async function ask() {
  const socket = connect(muster.port, '127.0.0.1', () =>
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'),
  );
  socket.on('error', () => {});
  const said = await Promise.race([once(socket, 'data'), once(socket, 'close')]).then(
    ([chunk]) => chunk,
    () => null,
  );
  return { socket, status: said instanceof Buffer ? /^HTTP\/1\.1 (\d+)/.exec(String(said))?.[1] : null };
}

test('with more clients than file descriptors some are served, some get 503, and uploads can still open a file', async () => {
  const fault = new Fault(`${CLIENTS} clients of an API with ${DESCRIPTORS} file descriptors`);
  const asked = await Promise.all(Array.from({ length: CLIENTS }, () => fault.response(ask())));
  const count = (wanted: string | null) => asked.filter(({ status }) => status === wanted).length;
  expect(count('200')).toBeGreaterThanOrEqual(40);
  expect(count('503')).toBeGreaterThan(0);
  expect(count('200') + count('503') + count(null)).toBe(CLIENTS);

  const served = asked.filter(({ status }) => status === '200');
  served[0]?.socket.destroy();
  const csv = 'email,integrationId,identity\na@example.com,1,a\n';
  const isTaken = async () => (await muster.client.upload(csv).catch(() => null))?.status === 200;
  await fault.recovery(() => until('an upload is taken', isTaken));
  fault.report();
  for (const { socket } of asked) socket.destroy();
}, 120_000);

test('with the log disk full, API and worker keep working and shut down in order', async () => {
  const { url, client, api, workers } = muster;
  const fault = new Fault('full disk of the log', 'rows');
  disk?.fill();
  for (let number = 0; number < REQUESTS; number++) {
    const signal = AbortSignal.timeout(30_000);
    const { status } = await fault.response(fetch(`${url}/v2/nothing/${number}`, { signal }));
    expect(status).toBe(404);
  }
  const upload = await client.upload('email,integrationId,identity\nann@example.com,1,ann\n');
  fault.add(balanceOfCounts(1, upload.body.counts?.created));
  expect([upload.status, upload.body.counts?.created]).toEqual([200, 1]);
  expect([api.exitCode, ...workers.map(({ exitCode }) => exitCode)]).toEqual([null, null]);

  disk?.free();
  const isLogged = () => readFileSync(logFile, 'utf8').includes(upload.body.jobId);
  if (disk) await fault.recovery(() => until('what happened meanwhile is logged', isLogged));
  else fault.provoked();
  disk?.fill();
  fault.provoked();
  for (const child of [...workers, api]) await end(child);
  fault.report();
  expect([api.exitCode, ...workers.map(({ exitCode }) => exitCode)]).toEqual([0, 0]);
});
