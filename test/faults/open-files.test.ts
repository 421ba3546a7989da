import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Fault } from '../support/faults/fault.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

/** Room for 48 connections, each with a file. */
const DESCRIPTORS = 256;
const CLIENTS = 240;

let muster: Processes;
beforeAll(async () => {
  muster = await startProcesses({ descriptors: DESCRIPTORS });
}, 60_000);
afterAll(() => muster.stop());

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
}, 60_000);
