import { afterAll, beforeAll, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { compareMigrations, migrate } from '../../db/migrations/index.js';
import { describeEngine } from '../support/engines/describe-engine.js';
import { type Galera, startGalera, whyNoGalera } from '../support/servers/galera.js';
import { until } from '../support/until.js';

describeEngine('Galera, 3 nodes', whyNoGalera(), () => {
  let galera: Galera;
  let nodes: Database[];
  beforeAll(async () => {
    galera = await startGalera();
    nodes = galera.urls.map((url) => connectDatabase(url));
  });
  afterAll(async () => {
    await Promise.all((nodes ?? []).map((node) => node.destroy()));
    await galera?.stop();
  });

  test('a schema that is migrated on one node is the same on all', async () => {
    await migrate(nodes[0] as Database);
    for (const node of nodes) {
      await until(
        'the node has all migrations',
        async () => (await compareMigrations(node)).missing.length === 0,
      );
    }
  });
});
