import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Benchmark, median, percentile } from '../benchmark.js';
import { peakRssMb } from '../children.js';
import { type BenchStack, startBenchStack } from '../stack.js';
import { writeIdentitiesFile } from './identities-file.js';
import { post, untilCompleted } from './upload.js';

const FILE = 'identities.csv';
const RUNS = 20;

/** Runs a feed whose file is that of its last run, from the start of the job to its end. Floor: the digest of the file. */
export const feedUnchanged: Benchmark = async (context) => {
  const path = join(context.folder, FILE);
  await writeIdentitiesFile(path, context.rows);
  const stack = await startBenchStack(context, { FEED_DIRECTORY: context.folder });
  const [floors, ours]: [number[], number[]] = [[], []];
  try {
    const feed = await createFeed(stack);
    const run = async () => untilCompleted(stack, await post(stack, `/v2/feeds/${feed}/runs`));
    await run();
    for (let round = 0; round < RUNS * context.runs; round++) {
      floors.push(await timeDigest(path));
      const { startedAt, finishedAt, counts } = await run();
      if (Object.values(counts ?? {}).some((count) => count > 0))
        throw new Error(`the run was not unchanged: ${JSON.stringify(counts)}`);
      ours.push(Date.parse(finishedAt) - Date.parse(startedAt));
    }
    context.say(`p95 ${percentile(ours, 95)} ms, digest ${percentile(floors, 95).toFixed(1)} ms`);
    const [floorMs, oursMs] = [median(floors), median(ours)];
    const rssMb = peakRssMb(stack.worker.pid);
    return {
      name: 'feed-unchanged',
      ratio: floorMs / oursMs,
      ours: oursMs,
      floor: floorMs,
      unit: 'ms',
      rssMb,
    };
  } finally {
    await stack.stop();
  }
};

async function createFeed({ url, key }: BenchStack): Promise<string> {
  const response = await fetch(`${url}/v2/feeds`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', source: { kind: 'directory', path: FILE } }),
  });
  const { data, message } = (await response.json()) as { data: { id: string }; message: string };
  if (!response.ok) throw new Error(`POST /v2/feeds failed with ${response.status}: ${message}`);
  return data.id;
}

async function timeDigest(path: string): Promise<number> {
  const startedAt = performance.now();
  await pipeline(createReadStream(path), createHash('sha256'));
  return performance.now() - startedAt;
}
