import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ImportLoad } from '../support/api/import-load.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { describeEngine } from '../support/engines/describe-engine.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { end } from '../support/servers/processes.js';
import { until } from '../support/until.js';

/** A checkout of the release to upgrade from, in which `npm run build` was run. */
const PREVIOUS = process.env.MUSTER_PREVIOUS_RELEASE;
const BETWEEN_MS = 3_000;
const LANES = 8;

const whyNot = PREVIOUS === undefined ? 'MUSTER_PREVIOUS_RELEASE names no build of a release' : null;

describeEngine('upgrade from the previous release', whyNot, () => {
  const ledger = new LedgerClient();
  const imports = new ImportLoad();
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet({ apis: 2, workers: 2, release: PREVIOUS as string });
  });
  afterAll(() => fleet?.stop());

  test('under load, nothing acknowledged is lost or stored twice', async () => {
    const apis = [...fleet.apis];
    const clients = apis.map(({ client }) => client);
    const { path } = await makeWebhook(clients[0] as (typeof clients)[number]);
    let turn = 0;
    ledger.start(() => (apis[turn++ % apis.length]?.url ?? '') + path, LANES);
    imports.start(clients);
    await sleep(BETWEEN_MS);

    // The order that CHANGELOG.md asks for: workers stop, migrations, new workers, then one API after the other.
    await Promise.all(fleet.workers.map((worker) => end(worker)));
    await fleet.upgrade();
    const whileStopped = ledger.acknowledged;
    fleet.startWorker();
    fleet.startWorker();
    await sleep(BETWEEN_MS);
    for (const [i, old] of fleet.apis.entries()) {
      const api = await fleet.startApi();
      await until(
        'the new API is ready',
        async () => (await fetch(`${api.url}/readyz`)).status === 200,
        30_000,
      );
      apis[i] = api;
      clients[i] = api.client;
      await end(old.child);
      await sleep(BETWEEN_MS);
    }

    await Promise.all([ledger.stop(), imports.stop()]);
    console.log(`${ledger.acknowledged} events and ${imports.accepted} uploads were acknowledged`);
    expect(ledger.acknowledged).toBeGreaterThan(whileStopped);
    await ledger.settle(fleet.database);
    await imports.settle(clients[0] as (typeof clients)[number], fleet.database);
  });
});
