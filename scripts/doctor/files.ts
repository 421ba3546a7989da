import { randomUUID } from 'node:crypto';
import { existsSync, rmdirSync } from 'node:fs';
import { access, constants, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openFileStore } from '../../db/files/index.js';
import { wholeNumber } from '../../workers/text/quantities.js';
import { freeMb, fullDisk } from '../start/disk-space.js';
import { describeFailure } from './failure.js';
import { attempt, type Finding, failure, ok, warning } from './finding.js';
import type { DoctorSettings } from './settings.js';

/** Below this an upload of the default size limit may not fit. */
const LOW_MB = 2_000;
const UPLOADS = 'uploads';
const TEXT = 'npm run doctor';

/** Checks the file store and DATA_DIR. */
export async function checkFiles({ storageUrl, dataDir }: DoctorSettings): Promise<Finding[]> {
  const folder = storageUrl.startsWith('file:') ? fileURLToPath(storageUrl) : null;
  return Promise.all([
    attempt('storage', () => findStore(storageUrl, folder), explainStore(storageUrl, folder)),
    ...(folder === null ? [] : [attempt('storage-space', async () => findSpace('storage-space', folder))]),
    attempt('data-dir', () => findDataDir(dataDir), explainDataDir(dataDir)),
    attempt('data-dir-space', async () => findSpace('data-dir-space', dataDir)),
  ]);
}

/** Writes, reads and deletes a small file. In a folder that does not exist yet, only checks whether it can be created. */
async function findStore(url: string, folder: string | null): Promise<Finding> {
  if (folder !== null && !existsSync(folder)) {
    await access(existingPart(folder), constants.W_OK | constants.X_OK);
    return ok('storage', `${folder} does not exist yet and can be created`);
  }
  const hadUploads = folder === null || existsSync(join(folder, UPLOADS));
  const store = openFileStore(url);
  const key = `${UPLOADS}/${randomUUID()}`;
  await store.write(key, Readable.from([Buffer.from(TEXT)]));
  try {
    if ((await buffer(store.read(key))).toString() !== TEXT) {
      const advice = 'Check the file store, and that no proxy in front of it caches.';
      return failure('storage', `${placeOf(url, folder)} returned another content than was written`, advice);
    }
  } finally {
    await store.remove(key);
    if (folder !== null && !hadUploads) removeIfEmpty(join(folder, UPLOADS));
  }
  return ok('storage', `wrote, read and deleted a file in ${placeOf(url, folder)}`);
}

/** Removes a folder that this command made, unless a server has used it since. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {}
}

/** Returns where files are stored, without credentials. */
function placeOf(url: string, folder: string | null): string {
  if (folder !== null) return folder;
  const { host, pathname, searchParams } = new URL(url);
  const endpoint = searchParams.get('endpoint') ?? '';
  const server = URL.canParse(endpoint) ? ` at ${new URL(endpoint).host}` : '';
  return `s3://${host}${pathname}${server}`;
}

const S3_ADVICE: Record<string, string> = {
  NoSuchBucket: 'Create the bucket, or correct its name in STORAGE_URL.',
  InvalidAccessKeyId: 'Correct AWS_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'Correct AWS_SECRET_ACCESS_KEY.',
  AccessDenied:
    'Allow GetObject, PutObject, DeleteObject, ListBucket and AbortMultipartUpload for the prefix.',
  CredentialsProviderError: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the host a role.',
  PermanentRedirect: 'Set region in STORAGE_URL to the region of the bucket.',
  StoreUnavailable: 'Check the endpoint and the region in STORAGE_URL, and the network to it.',
  StoreFull: 'Free some space in the file store.',
};

const explainStore =
  (url: string, folder: string | null) =>
  (error: unknown): Finding => {
    const { name = '' } = error as Error;
    const advice =
      folder === null
        ? (S3_ADVICE[name] ?? 'Check the bucket, the credentials and the rights on the prefix.')
        : 'Make it writable for this user, or set STORAGE_URL to another folder.';
    return failure('storage', `${placeOf(url, folder)} cannot be used (${describeFailure(error)})`, advice);
  };

async function findDataDir(dir: string): Promise<Finding> {
  if (!existsSync(dir)) {
    await access(existingPart(dir), constants.W_OK | constants.X_OK);
    return ok('data-dir', `${dir} does not exist yet and can be created`);
  }
  const file = join(dir, `.doctor-${randomUUID()}`);
  try {
    await writeFile(file, TEXT, { mode: 0o600 });
  } finally {
    await rm(file, { force: true });
  }
  return ok('data-dir', `${dir} is writable`);
}

const explainDataDir =
  (dir: string) =>
  (error: unknown): Finding =>
    failure(
      'data-dir',
      `${dir} cannot be written (${describeFailure(error)})`,
      'Make it writable for this user, or set DATA_DIR to another folder.',
    );

function findSpace(check: string, folder: string): Finding {
  const place = existingPart(folder);
  const full = fullDisk(place);
  const found = `${wholeNumber(freeMb(place))} MB free in ${folder}`;
  const advice = 'Free some space, or use a larger disk.';
  if (full) return failure(check, found, advice);
  return freeMb(place) < LOW_MB ? warning(check, found, advice) : ok(check, found);
}

/** Returns the path itself, or the nearest folder above it that exists. */
const existingPart = (path: string): string => (existsSync(path) ? path : existingPart(dirname(path)));
