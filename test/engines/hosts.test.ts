import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ImportLoad } from '../support/api/import-load.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { describeEngine } from '../support/engines/describe-engine.js';
import { type NetworkHost, whyNoHosts } from '../support/hosts/network.js';
import { type Site, startSite } from '../support/hosts/site.js';
import { whyNoGalera } from '../support/servers/galera.js';

const START_MS = 60_000;
const BEFORE_MS = 3_000;
/** Longer than the time-outs of Redis Cluster (2 s) and Galera (5 s), so that both give up a node. */
const AWAY_MS = 15_000;
const RECOVERY_MS = 30_000;
const LANES = 8;

describeEngine('many hosts', whyNoHosts() ?? whyNoGalera(), () => {
  let site: Site;
  const ledger = new LedgerClient();
  const imports = new ImportLoad();
  let urls: string[];
  beforeAll(async () => {
    site = await startSite();
    await site.untilReady(START_MS);
    const { path } = await makeWebhook(site.apis[0]?.client as never);
    urls = site.apis.map(({ url }) => url + path);
  });
  afterAll(() => site?.stop());

  const faults: [string, (at: Site) => NetworkHost | Promise<NetworkHost>][] = [
    ['an API', ({ hosts }) => hosts.api[0] as NetworkHost],
    ['a worker', ({ hosts }) => hosts.worker[0] as NetworkHost],
    ['a database node', ({ busiestDatabase }) => busiestDatabase()],
    ['a master of Redis', ({ hosts }) => hosts.redis[0] as NetworkHost],
    ['the file store', ({ hosts }) => hosts.store],
  ];
  test.each(faults)(
    '%s is cut off in mid-work: nothing acknowledged is lost or stored twice',
    async (name, hostOf) => {
      const host = await hostOf(site);
      const [events, uploads, outcomes] = [ledger.acknowledged, imports.accepted, ledger.outcomes.length];
      let turn = 0;
      ledger.start(() => urls[turn++ % urls.length] as string, LANES);
      imports.start(site.apis.map(({ client }) => client));
      await sleep(BEFORE_MS);
      const before = ledger.acknowledged;
      host.cutOff();
      await sleep(AWAY_MS);
      const during = ledger.acknowledged - before;
      host.reconnect();
      const recovery = await site.untilReady(RECOVERY_MS);
      const since = ledger.acknowledged;
      await sleep(BEFORE_MS);
      const after = ledger.acknowledged - since;
      await Promise.all([ledger.stop(), imports.stop()]);
      const responses = ledger.outcomes.slice(outcomes).filter(({ status }) => status !== 0);
      const longest = Math.max(...responses.map(({ ms }) => ms));
      console.log(
        `${name}: ${ledger.acknowledged - events} events and ${imports.accepted - uploads} uploads acknowledged, ${during} of the events ` +
          `while it was cut off; longest response ${(longest / 1_000).toFixed(1)} s; ready ${recovery.toFixed(1)} s after its return`,
      );
      expect(after).toBeGreaterThan(0);
      for (const database of site.databases) await ledger.settle(database);
      await imports.settle(site.apis[1]?.client as never, site.databases[1] as never);
    },
  );
});
