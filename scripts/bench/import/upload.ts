import { createReadStream, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export type Counts = Record<string, number>;

/** Where the API is, and a key for it. */
interface Target {
  url: string;
  key: string;
}

/** A completed import. */
interface Imported {
  counts: Counts;
  /** From the start of the upload until the job was completed. */
  seconds: number;
}

/** Rarely, because each poll takes CPU time of the API and the database. The job itself says when it ended. */
const POLL_EVERY_MS = 250;

/** Uploads a file and waits until its job is completed. */
export async function importFile(target: Target, file: string): Promise<Imported> {
  const startedAt = Date.now();
  const { counts, finishedAt } = await untilCompleted(target, await upload(target, file));
  return { counts, seconds: (Date.parse(finishedAt) - startedAt) / 1_000 };
}

/** Plans the import of a file, and applies the plan. `seconds` are those of the second step. */
export async function applyFile(target: Target, file: string): Promise<Imported> {
  const planId = await upload(target, file, '?dryRun=true');
  await untilCompleted(target, planId);
  const startedAt = Date.now();
  const jobId = await post(target, `/v2/jobs/${planId}/apply`);
  const { counts, finishedAt } = await untilCompleted(target, jobId);
  return { counts, seconds: (Date.parse(finishedAt) - startedAt) / 1_000 };
}

/** Sends a request that starts a job. Returns the job's id. */
export async function post({ url, key }: Target, path: string): Promise<string> {
  const headers = { authorization: `ApiKey ${key}`, prefer: 'respond-async' };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers });
  const { jobId, message } = (await response.json()) as { jobId: string; message: string };
  if (response.status !== 202) throw new Error(`POST ${path} failed with ${response.status}: ${message}`);
  return jobId;
}

async function upload({ url, key }: Target, file: string, query = ''): Promise<string> {
  const boundary = 'muster-benchmark';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="identities.csv"\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const response = await fetch(`${url}/v2/developers/identities${query}`, {
    method: 'PATCH',
    headers: {
      authorization: `ApiKey ${key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + statSync(file).size + tail.length),
      prefer: 'respond-async',
    },
    body: multipart(head, file, tail),
    duplex: 'half',
  } as RequestInit);
  const { jobId, message } = (await response.json()) as { jobId: string; message: string };
  if (response.status !== 202) throw new Error(`upload failed with ${response.status}: ${message}`);
  return jobId;
}

async function* multipart(head: string, file: string, tail: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(head);
  yield* createReadStream(file, { highWaterMark: 1024 * 1024 });
  yield Buffer.from(tail);
}

/** Waits for a job. @throws an error if it ends in another way */
export async function untilCompleted(
  { url, key }: Target,
  jobId: string,
): Promise<{ counts: Counts; startedAt: string; finishedAt: string }> {
  for (;;) {
    const response = await fetch(`${url}/v2/jobs/${jobId}`, { headers: { authorization: `ApiKey ${key}` } });
    const { data } = (await response.json()) as {
      data: { state: string; counts: Counts; startedAt: string; finishedAt: string | null };
    };
    const { state, counts, startedAt, finishedAt } = data;
    if (finishedAt && state === 'completed') return { counts, startedAt, finishedAt };
    if (finishedAt) throw new Error(`the job ended ${state}`);
    await sleep(POLL_EVERY_MS);
  }
}
