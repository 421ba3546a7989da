/* Values and envelopes that the examples of the OpenAPI document share. */

export const ID = '019a2b5c-4f1e-7c3a-9d2b-6e8f0a1b2c3d';
export const EVENT_ID = '019a2b5c-5a10-7b44-8c1d-2f3e4d5c6b7a';
export const WEBHOOK_ID = '019a2b5b-0c11-7d55-9e2f-1a2b3c4d5e6f';
export const AT = '2026-01-31T12:00:00.000Z';
export const LATER = '2026-01-31T12:00:02.000Z';

export const successExample = (data: object, more: object = {}) => ({ status: 'success', data, ...more });
export const pageExample = (row: object) =>
  successExample([row], { page: { pageSize: 50, nextCursor: null } });
export const acceptedExample = {
  status: 'success',
  message: 'Accepted. The job reports its progress and result.',
  jobId: ID,
};
