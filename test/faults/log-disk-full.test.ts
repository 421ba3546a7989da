import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { balanceOfCounts, Fault } from '../support/faults/fault.js';
import { mountSmallDisk } from '../support/faults/small-disk.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

const REQUESTS = 200;
/** If this user may not mount a small disk, the log never has space. */
const disk = mountSmallDisk(1024);
const logFile = disk ? join(disk.folder, 'muster.log') : '/dev/full';
let running: Processes;
beforeAll(async () => {
  running = await startProcesses({ logFile });
});
afterAll(async () => {
  await running.stop();
  disk?.unmount();
});

test('with the log disk full, API and worker keep working and shut down in order', async () => {
  const { url, client, api, workers } = running;
  const fault = new Fault('full disk of the log', 'rows');
  disk?.fill();
  for (let number = 0; number < REQUESTS; number++) {
    const signal = AbortSignal.timeout(5_000);
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
