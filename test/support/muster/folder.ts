import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll } from '@jest/globals';
import { scratchParent } from '../scratch.js';

const made: string[] = [];

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** Writes files into a new folder, which is removed after the tests, and returns its path. */
export function folderOf(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(scratchParent(), 'muster-files-'));
  made.push(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}
