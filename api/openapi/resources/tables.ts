import { upload } from './identities.js';
import { AT, ID } from './values.js';

const shape = {
  matching: 'exact',
  keyColumns: ['service'],
  columns: ['service', 'team', 'tier'],
  rowCount: 120,
};
export const table = { name: 'services', revision: 5, ...shape, updatedAt: AT };
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
