import type { z } from 'zod';
import { type Author, authorsOf } from '../../../../db/access/upload-links.js';
import type { Database } from '../../../../db/client/connect.js';
import type { Coverage } from '../../../../db/identities/coverage.js';
import { type AcceptedUpload, acceptedAt, findUploads } from '../../../../db/jobs/accepted-uploads.js';
import type { coverageSchema } from './schema.js';

type PresentedCoverage = z.input<typeof coverageSchema>;

/** Returns the JSON form of coverages, with the jobs and keys of their last uploads. */
export async function presentCoverage(
  database: Database,
  coverages: readonly (Coverage | Uncounted)[],
): Promise<PresentedCoverage[]> {
  const acceptances = coverages.flatMap((one) => ('lastAcceptance' in one ? (one.lastAcceptance ?? []) : []));
  const uploads = await findUploads(database, acceptances);
  const authorOf = await authorsOf(
    database,
    [...uploads.values()].map(({ apiKeyId }) => apiKeyId),
  );
  return coverages.map((coverage) => {
    if (!('lastAcceptance' in coverage)) return { ...UNCOUNTED, ...coverage };
    const { lastAcceptance, ...counts } = coverage;
    if (lastAcceptance === null) return { ...counts, lastUpload: null };
    const upload = uploads.get(lastAcceptance);
    return { ...counts, lastUpload: presentUpload(lastAcceptance, upload, authorOf) };
  });
}

/** An account system that was not counted within the time limit. */
export interface Uncounted {
  integrationId: number;
}

const UNCOUNTED = { accounts: null, owners: null, removed: null, lastUpload: null };

function presentUpload(
  acceptance: number,
  upload: AcceptedUpload | undefined,
  authorOf: (id: string) => Author,
): PresentedCoverage['lastUpload'] {
  const author = upload && authorOf(upload.apiKeyId);
  return {
    acceptedAt: acceptedAt(acceptance).toISOString(),
    jobId: upload?.jobId ?? null,
    apiKey: author?.apiKey.name == null ? null : { id: author.apiKey.id, name: author.apiKey.name },
    uploadLink: author?.uploadLink ?? null,
  };
}
