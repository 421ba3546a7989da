import { upload } from './identities.js';
import { AT, ID } from './values.js';

const shape = {
  matching: 'exact',
  keyColumns: ['service'],
  columns: ['service', 'team', 'tier'],
  rowCount: 120,
};
export const table = {
  name: 'services',
  revision: 5,
  ...shape,
  digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  managedBy: null,
  updatedAt: AT,
};
export const tableRow = { service: 'checkout', team: 'payments', tier: '1' };
export const tableRevision = {
  revision: 5,
  current: true,
  ...shape,
  jobId: ID,
  createdAt: AT,
  savedBy: { id: ID, name: 'service catalogue' },
};
export const tableUploaded = upload('The upload is the active revision now.', {
  data: table,
  counts: { total: 120, added: 2, changed: 1, unchanged: 117, removed: 3, rejected: 0 },
});
