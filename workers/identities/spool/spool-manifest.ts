import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobErrorDetail, JobWarning } from '../../../db/jobs/jobs.js';
import type { ReadPoint } from '../parse/open-csv.js';
import type { RunRecord } from './stored-run.js';

/** The findings of a validation pass. */
export interface ValidationResult {
  /** All rows, valid and rejected. */
  rows: number;
  rejectedRows: number;
  /** How many of the rejected rows name an account system that the upload does not mirror. */
  foreignRows: number;
  /** The account systems that valid rows name, if the upload is a mirror. */
  namedAccountSystems: number[];
  /** The first errors, one entry each. */
  errors: JobErrorDetail[];
  errorCount: number;
  warnings: JobWarning[];
}

export const emptyResult = (): ValidationResult => ({
  rows: 0,
  rejectedRows: 0,
  foreignRows: 0,
  namedAccountSystems: [],
  errors: [],
  errorCount: 0,
  warnings: [],
});

/** How far the validation pass over an upload has come. */
export interface Validation {
  result: ValidationResult;
  /** Where the pass resumes; null once it has finished. */
  next: ReadPoint | null;
  /** The key of the rejected file, if there is one and the pass has finished. */
  rejectedKey: string | null;
}

/** The content of a spool's folder. Files that it does not name are ignored. */
interface Manifest {
  /** What the spool was made from, and how. A reader that would make it differently ignores it. */
  origin: string;
  runs: RunRecord[];
  validation: Validation;
}

/** A manifest as it is stored. Other releases read it, so its keys never change. */
interface StoredManifest {
  origin: string;
  runs: RunRecord[];
  surveyed: {
    found: {
      rows: number;
      refusedRows: number;
      /** Missing in the manifests of earlier releases. */
      foreignRows?: number;
      namedIntegrations?: number[];
      faults: JobErrorDetail[];
      faultCount: number;
      warnings: JobWarning[];
    };
    next: ReadPoint | null;
    rejectedKey: string | null;
  };
}

const NAME = 'manifest.json';

/** Replaces the manifest in one step, so that there is always a complete one, even if the process is killed. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const partial = join(folder, `${randomUUID()}.partial`);
  try {
    writeFileSync(partial, JSON.stringify(toStored(manifest)), { mode: 0o600 });
    renameSync(partial, join(folder, NAME));
  } catch (error) {
    // A full disk fails every attempt. Their partial files must not pile up.
    rmSync(partial, { force: true });
    throw error;
  }
}

/** Returns the manifest of a folder, or null if there is none, it has another origin, or a power failure damaged it. */
export function readManifest(folder: string, origin: string): Manifest | null {
  try {
    const manifest: StoredManifest | null = JSON.parse(readFileSync(join(folder, NAME), 'utf8'));
    return manifest?.origin === origin ? fromStored(manifest) : null;
  } catch {
    return null;
  }
}

function toStored({ origin, runs, validation: { result, ...rest } }: Manifest): StoredManifest {
  const { rows, rejectedRows, foreignRows, namedAccountSystems, errors, errorCount, warnings } = result;
  const found = {
    rows,
    refusedRows: rejectedRows,
    foreignRows,
    namedIntegrations: namedAccountSystems,
    faults: errors,
    faultCount: errorCount,
    warnings,
  };
  return { origin, runs, surveyed: { found, ...rest } };
}

function fromStored({ origin, runs, surveyed: { found, ...rest } }: StoredManifest): Manifest {
  const { rows, refusedRows, foreignRows = 0, namedIntegrations = [], faults, faultCount, warnings } = found;
  const result = {
    rows,
    rejectedRows: refusedRows,
    foreignRows,
    namedAccountSystems: namedIntegrations,
    errors: faults,
    errorCount: faultCount,
    warnings,
  };
  return { origin, runs, validation: { result, ...rest } };
}
