import { createReadStream, createWriteStream } from 'node:fs';
import { open as openFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parse } from 'csv-parse';
import type { Access } from './access.js';
import { Unavailable, UploadFailure } from './failure.js';
import { ask } from './http.js';
import { expectSuccess, pause, pauseMs } from './verdict.js';

const maxTries = 5;

/**
 * Saves the rejected rows of a job next to the uploaded file, without overwriting another file.
 * @returns the path of the new file
 * @throws UploadFailure if they cannot be downloaded or saved
 */
export async function saveRejected(
  access: Access,
  jobId: string,
  source: string,
  stop: AbortSignal,
): Promise<string> {
  const target = await claimName(source);
  try {
    await download(access, jobId, target, stop);
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
  return target;
}

/** Yields the names to try: NAME.rejected.csv, NAME.rejected-2.csv, … For NAME.rejected.csv itself they are the same. */
export function* rejectedNames(source: string): Generator<string> {
  const name = basename(source)
    .replace(/\.gz$/i, '')
    .replace(/\.(csv|tsv|txt)$/i, '')
    .replace(/\.rejected(-\d+)?$/i, '');
  yield join(dirname(source), `${name}.rejected.csv`);
  for (let number = 2; ; number++) yield join(dirname(source), `${name}.rejected-${number}.csv`);
}

async function claimName(source: string): Promise<string> {
  for (const name of rejectedNames(source)) {
    try {
      await (await openFile(name, 'wx')).close();
      return name;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw new UploadFailure(`${name} cannot be written: ${code ?? message}`);
    }
  }
  throw new Error('there is always a next name');
}

async function download(access: Access, jobId: string, target: string, stop: AbortSignal): Promise<void> {
  for (let failures = 0; ; ) {
    try {
      return await downloadOnce(access, jobId, target, stop);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      failures += 1;
      if (failures === maxTries) throw new UploadFailure(error.message);
      await pause(pauseMs(failures, error.retryAfterMs, 8_000), stop);
    }
  }
}

async function downloadOnce(access: Access, jobId: string, target: string, stop: AbortSignal): Promise<void> {
  const call = { method: 'GET', path: `v2/jobs/${jobId}/rejected` } as const;
  const response = await ask(access, call, stop, () => createWriteStream(target));
  if (response.status !== 200) expectSuccess(response, access.base);
}

/** A rejected row of the rejected file. `message` names the field and the reason. */
export interface RejectedRow {
  line: string;
  message: string;
}

/** Reads the first rows of a saved rejected file. */
export async function firstRejected(file: string, count: number): Promise<RejectedRow[]> {
  const rows = createReadStream(file).pipe(parse({ bom: true, columns: true, to: count }));
  return rows.toArray();
}
