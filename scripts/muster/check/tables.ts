import { GlobPatterns } from '../../../db/lookups/glob-patterns.js';
import { hashesOfMatches } from '../../../db/lookups/lookup-keys.js';
import { toRow } from '../../../db/lookups/lookup-rows.js';
import { FileError } from '../../../workers/identities/record/errors.js';
import type { LookupRow } from '../../../workers/mapping/index.js';
import { FileProblem } from '../files/folder.js';
import { localTables } from '../files/local-tables.js';
import type { Directory } from '../files/read-directory.js';
import { type ReadRows, readRows } from '../files/read-rows.js';
import { type Finding, START } from '../finding.js';

/** A lookup table in which samples find rows. */
export interface SearchedTable {
  find(key: string): LookupRow | null;
}

/** Reads the tables of a folder. */
export async function readTables(directory: Directory): Promise<{
  tables: ReadonlyMap<string, SearchedTable>;
  findings: Finding[];
}> {
  const findings: Finding[] = [];
  const known = new Map<string, SearchedTable>();
  for (const { csv, content } of localTables(directory)) {
    const report = (code: string, message: string, line = 1) =>
      findings.push({ ...START, line, level: 'error', code, file: csv, message });
    try {
      const rows = await readRows(directory.folder.read(csv), content, report);
      if (rows) known.set(content.name, toSearched(rows));
    } catch (error) {
      if (!(error instanceof FileProblem || error instanceof FileError)) throw error;
      report(error instanceof FileError ? error.code : 'unreadable_file', error.message);
    }
  }
  return { tables: known, findings };
}

function toSearched(rows: ReadRows): SearchedTable {
  const { cellsByHash } = rows;
  const patterns =
    rows.matching === 'glob'
      ? new GlobPatterns([...cellsByHash.values()].map((cells) => toRow(rows, cells).key))
      : null;
  return {
    find: (sought) => {
      const own = patterns ? patternOf(patterns, sought) : sought;
      const hashes = own === null ? [] : hashesOfMatches(rows, own).map((hash) => hash.toString('hex'));
      const cells = cellsByHash.get(hashes.find((hash) => cellsByHash.has(hash)) ?? '');
      return cells === undefined ? null : toRow(rows, cells).columns;
    },
  };
}

function patternOf(patterns: GlobPatterns, key: string): string | null {
  const search = patterns.search(key);
  for (let step = search.next(); ; step = search.next()) if (step.done) return step.value.key;
}
