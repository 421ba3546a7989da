import { join } from 'node:path';
import { type Benchmark, median } from '../benchmark.js';
import { peakRssMb } from '../children.js';
import { empty } from '../drain/write-groups.js';
import { startBenchStack } from '../stack.js';
import { writeIdentitiesFile } from './identities-file.js';
import { rest } from './rest.js';
import { applyFile, importFile } from './upload.js';

/**
 * Applies the plan of a dry run of new identities, from the request to `completed`. Floor: the import of the same file without a plan. The two
 * alternate, each into empty tables.
 */
export const applyPlan: Benchmark = async (context) => {
  const file = join(context.folder, 'identities.csv');
  await writeIdentitiesFile(file, context.rows);
  const stack = await startBenchStack(context);
  const ways = { import: importFile, apply: applyFile };
  const seconds: Record<keyof typeof ways, number[]> = { import: [], apply: [] };
  try {
    // The first run is not measured, because the first job of new processes is slower.
    for (let run = 0; run <= context.runs; run++) {
      for (const way of ['import', 'apply'] as const) {
        await empty(stack.database, ['identities', 'identity_history', 'import_changes']);
        await rest(context.pids.mariadb);
        const done = await ways[way](stack, file);
        if (done.counts.created !== context.rows)
          throw new Error(`expected ${context.rows} created, got ${JSON.stringify(done.counts)}`);
        context.say(`${way} ${done.seconds.toFixed(2)} s${run === 0 ? ', not measured' : ''}`);
        if (run > 0) seconds[way].push(done.seconds);
      }
    }
    const [floor, ours] = [median(seconds.import), median(seconds.apply)];
    return { name: 'apply', ratio: floor / ours, ours, floor, unit: 's', rssMb: peakRssMb(stack.worker.pid) };
  } finally {
    await stack.stop();
  }
};
