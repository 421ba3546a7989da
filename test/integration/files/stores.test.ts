import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openFileStore } from '../../../db/files/index.js';
import { testFileStore } from '../../support/files/file-store.js';
import { startS3, type TestS3 } from '../../support/servers/s3.js';

let folder: string;
let s3: TestS3;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-files-'));
  s3 = await startS3();
});
afterAll(async () => {
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['on disk', () => pathToFileURL(folder).href],
  ['in S3', () => s3.url('some/prefix')],
])('files %s', (_, url) => {
  testFileStore(() => openFileStore(url()));
});

test.each([
  ['ftp://host/folder', 'cannot store files at ftp:'],
  ['s3://bucket', 'must name a prefix in the bucket, such as s3://bucket/muster'],
  ['s3://bucket//?region=eu-central-1', 'must name a prefix in the bucket'],
  ['s3:///prefix', 'must name a bucket'],
  ['files', 'must be file:///folder or s3://bucket/prefix'],
])('STORAGE_URL %s is rejected', (url, error) => {
  expect(() => openFileStore(url)).toThrow(`STORAGE_URL: ${error}`);
});
