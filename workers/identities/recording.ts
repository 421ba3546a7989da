import type { UploadToWrite } from '../../db/identities/write-identities.js';
import type { Job } from '../../db/jobs/jobs.js';
import type { WorkerSettings } from '../run/settings.js';
import { encodeChanges } from './changes/encode-changes.js';

/** Returns how a job records what it changes, according to the settings. */
export const recordingOf = (
  { apiKeyId }: Job,
  { importChanges, identityHistoryDays }: WorkerSettings,
): Pick<UploadToWrite<never>, 'apiKeyId' | 'encodeChanges'> => ({
  apiKeyId: identityHistoryDays > 0 ? apiKeyId : undefined,
  encodeChanges: importChanges ? encodeChanges : undefined,
});
