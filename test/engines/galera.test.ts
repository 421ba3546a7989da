import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { compareMigrations, migrate } from '../../db/migrations/index.js';
import { describeEngine } from '../support/engines/describe-engine.js';
import { type Galera, startGalera, whyNoGalera } from '../support/servers/galera.js';

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

  test('three hosts that migrate through three nodes at once do not disturb each other', async () => {
    const ran = await Promise.all(nodes.map((node) => migrate(node)));
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
    for (const node of nodes) expect((await compareMigrations(node)).missing).toEqual([]);
  });
});
