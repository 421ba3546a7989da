import { type BadInput, badQuery, type Sent } from './case.js';

const owner: Sent = { as: ['developer_records:write'] };

const range = (text: string): Sent => ({ headers: { range: text } });

export const jobCases: readonly BadInput[] = [
  badQuery('an unknown type', 'GET /v2/jobs', 'type=backup', 'type: must be one of'),
  badQuery('an unknown state', 'GET /v2/jobs', 'state=done', 'state: must be one of'),
  badQuery('a malformed id', 'GET /v2/jobs', 'revertOf=x', 'revertOf: must be a UUID'),
  [
    'a job that does not exist',
    'GET /v2/jobs?revertOf={unknown}',
    {},
    404,
    'not_found',
    'job does not exist',
  ],
  ['a forged cursor', 'GET /v2/jobs?cursor=bm90IGpzb24', {}, 400, 'invalid_cursor'],
  ['an unknown job', 'GET /v2/jobs/{unknown}', {}, 404, 'not_found', 'This job does not exist'],
  ['a malformed job', 'GET /v2/jobs/x', {}, 404, 'not_found', 'job does not exist: `id` must be a UUID'],
  ["another key's job", 'GET /v2/jobs/{job}', owner, 404, 'not_found', 'This job does not exist'],
  ['the file of an unknown job', 'GET /v2/jobs/{unknown}/file', {}, 404, 'not_found'],
  ['the file of an upload', 'GET /v2/jobs/{job}/file', {}, 404, 'not_found'],
  ['rejected rows of an unknown job', 'GET /v2/jobs/{unknown}/rejected', {}, 404, 'not_found'],
  [
    'rejected rows where there are none',
    'GET /v2/jobs/{job}/rejected',
    {},
    404,
    'not_found',
    'no row of the job',
  ],
  ['changes of an unknown job', 'GET /v2/jobs/{unknown}/changes', {}, 404, 'not_found'],
  badQuery('an unknown format of changes', 'GET /v2/jobs/{job}/changes', 'format=xml', 'format: '),
  [
    'a range behind the end',
    'GET /v2/jobs/{job}/changes',
    range('bytes=999999-'),
    416,
    'range_not_satisfiable',
  ],
  ['skipped rows of an upload', 'GET /v2/jobs/{job}/skipped', {}, 404, 'not_found'],
  ['a revert of an unknown job', 'POST /v2/jobs/{unknown}/revert', {}, 404, 'not_found'],
  ['a revert of a dry run', 'POST /v2/jobs/{dryRun}/revert', {}, 409, 'job_was_dry_run', 'changed nothing'],
  ["a revert of another key's job", 'POST /v2/jobs/{job}/revert', owner, 404, 'not_found'],
  ['canceling an unknown job', 'POST /v2/jobs/{unknown}/cancel', {}, 404, 'not_found'],
  ['canceling a completed job', 'POST /v2/jobs/{job}/cancel', {}, 409, 'job_ended', 'This job is completed'],
  ['canceling a failed job', 'POST /v2/jobs/{failed}/cancel', {}, 409, 'job_ended', 'This job is failed'],
  ['retrying an unknown job', 'POST /v2/jobs/{unknown}/retry', {}, 404, 'not_found'],
  [
    'retrying a completed job',
    'POST /v2/jobs/{job}/retry',
    {},
    409,
    'job_not_failed',
    'This job is completed',
  ],
];
