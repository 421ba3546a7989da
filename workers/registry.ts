import { exportIdentities } from './jobs/identity-export.js';
import { importIdentities } from './jobs/identity-import.js';
import type { JobName } from './queues/index.js';
import type { JobHandler } from './services.js';

/** Contract → handler. A contract without a handler does not compile. */
export const handlers = {
  'identity-import': importIdentities,
  'identity-export': exportIdentities,
} satisfies Record<JobName, JobHandler>;
