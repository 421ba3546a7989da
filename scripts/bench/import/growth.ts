import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Benchmark, median } from '../benchmark.js';
import { peakRssMb } from '../children.js';
import { empty } from '../drain/write-groups.js';
import { startBenchStack } from '../stack.js';
import { writeIdentitiesFile } from './identities-file.js';
import { timeImport } from './import.js';

/** The sizes that are measured, as parts of `--rows`. */
const PARTS = [0.1, 0.5, 1];
/** Long enough for the server to purge the data of the previous run. */
const REST_MS = 3_000;

/**
 * Imports new identities in files of several sizes into empty tables, with the memory that `npm start` gives its servers. Floor: the rows per
 * second of the smallest file.
 */
export const importGrowth: Benchmark = async (context) => {
  const sizes = PARTS.map((part) => Math.max(1, Math.round(part * context.rows)));
  const rates = new Map(sizes.map((size): [number, number[]] => [size, []]));
  const fileOf = (size: number): string => join(context.folder, `identities-${size}.csv`);
  const stack = await startBenchStack(context);
  const importNew = async (size: number): Promise<number> => {
    await empty(stack.database, ['identities', 'identity_history', 'import_changes']);
    await sleep(REST_MS);
    const subject = { file: fileOf(size), fresh: true };
    const cost = await timeImport({ ...context, rows: size }, stack, subject, 'everything');
    const [rate, micros] = [size / cost.seconds, (cost.cpuSeconds * 1e6) / size];
    context.say(`${size} rows: ${Math.round(rate)} rows/s, CPU ${micros.toFixed(1)} µs a row`);
    return rate;
  };
  try {
    for (const size of sizes) await writeIdentitiesFile(fileOf(size), size);
    // One unmeasured, because the first import of new processes is slower.
    await importNew(Math.min(...sizes));
    for (let run = 1; run <= context.runs; run++)
      for (const size of sizes) rates.get(size)?.push(await importNew(size));
    const medians = sizes.map((size) => median(rates.get(size) ?? []));
    const [floor, ours] = [medians[0], medians.at(-1)] as [number, number];
    const rssMb = peakRssMb(stack.worker.pid);
    return { name: 'import-growth', ratio: ours / floor, ours, floor, unit: 'rows/s', rssMb };
  } finally {
    await stack.stop();
  }
};
