import type { Directory } from '../files/read-directory.js';
import type { MusterServer } from './client.js';
import { SERVER_KINDS } from './kinds.js';
import type { Exported } from './server-kind.js';

/**
 * Returns what the server has as files. Of a file that is there, only what differs is changed, so that comments and order stay. Writes
 * nothing.
 * @throws Unavailable, UploadFailure
 */
export async function exportAll(server: MusterServer, directory: Directory): Promise<Exported> {
  const exported: Exported[] = [];
  for (const kind of SERVER_KINDS) {
    const one = await kind.export(server, directory);
    // Files that nobody compares must not pass for files that are right.
    const hasFiles = kind.filesOf(directory).length > 0;
    const closed = hasFiles ? one.closed : [];
    const problems = closed.map(
      (name) => `The folder has ${name}, and the key may not read those of the server`,
    );
    exported.push({ ...one, problems: [...one.problems, ...problems], closed: hasFiles ? [] : one.closed });
  }
  const files = exported.flatMap(({ files }) => files);
  files.sort((one, other) => (one.path < other.path ? -1 : 1));
  return {
    files,
    unknown: exported.flatMap(({ unknown }) => unknown),
    problems: exported.flatMap(({ problems }) => problems),
    closed: exported.flatMap(({ closed }) => closed),
  };
}
