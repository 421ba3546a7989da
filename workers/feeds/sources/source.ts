import { fetchFromDirectory } from './directory.js';
import type { FetchContext, FetchedFile } from './fetched-file.js';
import { fetchHttps } from './https.js';
import { fetchJsonList } from './json-list.js';
import { fetchFromS3 } from './s3.js';
import type { SourceSettings } from './settings.js';
import { fetchFromSftp } from './sftp.js';

export type { Deadlines, FetchContext, FetchedFile } from './fetched-file.js';
export {
  describeSource,
  SECRET_FIELDS,
  type SourceKind,
  type SourceOf,
  type SourceSettings,
  sourceSchema,
} from './settings.js';
export { SourceError, type SourceErrorCode } from './source-error.js';

/**
 * Fetches the file of a feed. Returns `unchanged` if the source says that it still has the version `known`.
 *
 * Addresses are checked when they are connected to, and not when a feed is saved: `checkTarget` does that for URLs.
 * @throws SourceError, or the reason of `stopped`
 */
export async function fetchSource(
  source: SourceSettings,
  context: FetchContext,
): Promise<FetchedFile | 'unchanged'> {
  context.stopped.throwIfAborted();
  switch (source.kind) {
    case 'https':
      return source.json
        ? fetchJsonList({ ...source, json: source.json }, context)
        : fetchHttps(source, context);
    case 's3':
      return fetchFromS3(source, context);
    case 'directory':
      return fetchFromDirectory(source, context);
    case 'sftp':
      return fetchFromSftp(source, context);
  }
}
