import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadPoint } from '../parse/read-point.js';
import type { Survey } from '../validate.js';
import type { RunRecord } from './stored-run.js';

/** How far the first pass over an upload is. */
export interface Surveyed {
  found: Survey;
  /** Where it goes on; null when it is over. */
  next: ReadPoint | null;
  /** The rejected file, when there is one and the pass is over. */
  rejectedKey: string | null;
}

/** Says what a spool's folder holds; all else in it counts for nothing. */
interface Manifest {
  /** What the spool was made from, and how: a reader that would make it otherwise leaves it alone. */
  origin: string;
  runs: RunRecord[];
  surveyed: Surveyed;
}

const NAME = 'manifest.json';

/** Replaces the manifest in one step: there is always a whole one, whenever the process is killed. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const partial = join(folder, `${randomUUID()}.partial`);
  try {
    writeFileSync(partial, JSON.stringify(manifest), { mode: 0o600 });
    renameSync(partial, join(folder, NAME));
  } catch (error) {
    // A full disk fails each attempt; what they leave must not pile up.
    rmSync(partial, { force: true });
    throw error;
  }
}

/** The manifest of a folder; null when there is none, or one of another origin, or what a loss of power left of one. */
export function readManifest(folder: string, origin: string): Manifest | null {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, NAME), 'utf8')) as Manifest | null;
    return manifest?.origin === origin ? manifest : null;
  } catch {
    return null;
  }
}
