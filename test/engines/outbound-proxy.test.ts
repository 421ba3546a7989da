import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../scripts/processes/free-port.js';
import { spawnGuarded } from '../../scripts/processes/guarded.js';
import { OutboundClient } from '../../workers/outbound/outbound-client.js';
import { describeEngine, unpackedEngine } from '../support/engines/describe-engine.js';
import { type Receiver, startReceiver } from '../support/outbound/receiver.js';
import { until } from '../support/until.js';

const engine = unpackedEngine('tinyproxy');

describeEngine('tinyproxy', engine ? null : 'tinyproxy could not be downloaded', () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-tinyproxy-'));
  const logFile = join(folder, 'log');
  let receiver: Receiver;
  let proxy: ReturnType<typeof spawnGuarded>;
  let port: number;
  let closedPort: number;
  beforeAll(async () => {
    receiver = await startReceiver();
    [port, closedPort] = [await freePort(), await freePort()];
    const file = join(folder, 'conf');
    const lines = [
      `Port ${port}`,
      'Listen 127.0.0.1',
      'Allow 127.0.0.1',
      'BasicAuth muster secret',
      `ConnectPort ${receiver.network.port}`,
      `ConnectPort ${closedPort}`,
      'LogLevel Connect',
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    const command = [join(engine ?? '', 'usr/bin/tinyproxy'), '-d', '-c', file];
    proxy = spawnGuarded(command, { logFile, pidFile: join(folder, 'pid') });
    await until('tinyproxy listens', async () =>
      post().then(
        () => true,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    await proxy.stop(5_000);
    await receiver.stop();
    rmSync(folder, { recursive: true });
  });

  async function post({ login = 'muster:secret', network = {} } = {}) {
    const by = new URL(`http://${login}@127.0.0.1:${port}`);
    const client = new OutboundClient({ ...receiver.network, ...network }, undefined, by);
    try {
      await client.post('https://localhost/hook', { body: Buffer.from('a') });
      return await client.post('https://localhost/hook', { body: Buffer.from('b') });
    } finally {
      client.close();
    }
  }

  test('messages go through it, to names that it resolves, on one tunnel', async () => {
    receiver.requests.length = 0;
    expect((await post({ network: { resolve: async () => [] } })).status).toBe(200);
    expect(receiver.requests.map(({ body }) => body)).toEqual(['a', 'b']);
    expect(new Set(receiver.requests.map(({ connection }) => connection)).size).toBe(1);
    expect(readFileSync(logFile, 'utf8')).toContain(`CONNECT localhost:${receiver.network.port}`);
  });

  test('what it refuses is for the operator to fix, what it does not reach is not', async () => {
    await expect(post({ login: 'muster:wrong' })).rejects.toMatchObject({ code: 'proxy', isOurs: true });
    await expect(post({ network: { port: 22 } })).rejects.toMatchObject({ code: 'proxy', isOurs: true });
    const unreached = post({ network: { port: closedPort } });
    await expect(unreached).rejects.toMatchObject({ code: 'refused', isOurs: false });
  });
});
