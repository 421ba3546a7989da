import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { ImportLoad } from '../support/api/import-load.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { describeEngine } from '../support/engines/describe-engine.js';
import { type Galera, startGalera, whyNoGalera } from '../support/servers/galera.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';
import { startGaleraProxy, whyNoProxies } from '../support/servers/proxies.js';
import { until } from '../support/until.js';

const LANES = 4;
const UNDISTURBED_MS = 2_000;

describeEngine('HAProxy and Galera', whyNoGalera() ?? whyNoProxies(), () => {
  let galera: Galera;
  let proxy: Awaited<ReturnType<typeof startGaleraProxy>>;
  let processes: Processes;
  let nodes: Database[];
  let path: string;
  const ledger = new LedgerClient();
  const imports = new ImportLoad();
  beforeAll(async () => {
    galera = await startGalera();
    nodes = galera.urls.map((url) => connectDatabase(url));
    await nodes[0]?.raw("CREATE USER 'haproxy'@'127.0.0.1'");
    proxy = await startGaleraProxy(galera.urls.map((url) => new URL(url).host));
    const url = new URL(galera.urls[0] as string);
    url.port = String(proxy.port);
    await until('the proxy has a node', async () => (await nodeBehind(url.href)) !== null);
    processes = await startProcesses({
      servers: { databaseUrl: url.href, redisUrl: process.env.TEST_REDIS_URL as string },
      env: { LOG_LEVEL: 'error' },
    });
    path = (await makeWebhook(processes.client)).path;
  });
  afterAll(async () => {
    await Promise.all([ledger.stop(), imports.stop()]);
    await Promise.all((nodes ?? []).map((node) => node.destroy()));
    await processes?.stop();
    await proxy?.stop();
    await galera?.stop();
  });

  /** Returns the index of the node that new sessions get; null if there is none. */
  async function nodeBehind(url: string): Promise<number | null> {
    const database = connectDatabase(url);
    try {
      const [[{ name }]] = await database.raw('SELECT @@wsrep_node_name AS name');
      return Number(name.slice('node-'.length));
    } catch {
      return null;
    } finally {
      await database.destroy();
    }
  }

  const isolate = (index: number, isolated: 0 | 1) =>
    (nodes[index] as Database).raw(`SET GLOBAL wsrep_provider_options = 'gmcast.isolate=${isolated}'`);

  const faults: [string, (index: number) => Promise<unknown>, (index: number) => Promise<unknown>][] = [
    ['leaves its group', (index) => isolate(index, 1), (index) => isolate(index, 0)],
    ['is killed', (index) => galera.kill(index), (index) => galera.restart(index)],
  ];
  test.each(faults)(
    'the node in use %s under load: the proxy chooses another one, nothing acknowledged is lost or stored twice',
    async (name, disturb, mend) => {
      const url = new URL(galera.urls[0] as string);
      url.port = String(proxy.port);
      const index = (await nodeBehind(url.href)) as number;
      ledger.start(() => processes.url + path, LANES);
      imports.start([processes.client]);
      await sleep(UNDISTURBED_MS);
      await disturb(index);
      const since = performance.now();
      await until('the proxy has another node', async () => {
        const now = await nodeBehind(url.href);
        return now !== null && now !== index;
      });
      const isReady = async () => (await fetch(`${processes.url}/readyz`)).status === 200;
      await until('the API is ready', isReady, 30_000);
      console.log(`${name}: ready after ${((performance.now() - since) / 1_000).toFixed(1)} s`);
      const uploads = imports.accepted;
      await until('uploads are accepted', () => imports.accepted > uploads, 30_000);
      await Promise.all([ledger.stop(), imports.stop()]);
      await ledger.settle(processes.database);
      await imports.settle(processes.client, processes.database);
      const used = await nodeBehind(url.href);
      await mend(index);
      await until(
        'the node has returned',
        async () => (await nodeBehind(galera.urls[index] as string)) === index,
        60_000,
      );
      // Longer than two checks of the proxy.
      await sleep(4_000);
      expect(await nodeBehind(url.href)).toBe(used);
    },
  );
});
