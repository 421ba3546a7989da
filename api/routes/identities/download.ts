import { identityExport } from '../../../workers/queues/contracts/identity-export.js';
import type { Input } from '../../endpoint/route.js';
import { respondWithFile } from '../../jobs/respond-with-file.js';
import { type GivenFilters, toExportParams } from './filters.js';

/** The file is for the one request that asked for it, and for resuming its download. */
const KEPT_HOURS = 1;

/** Responds with a CSV file of all identities that match the filters. */
export const sendCsv = (input: Input<GivenFilters, unknown>): Promise<void> =>
  respondWithFile(input, {
    contract: identityExport,
    params: toExportParams(input.query, 'csv', KEPT_HOURS),
  });
