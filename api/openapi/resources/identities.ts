import { AT, acceptedExample, ID, LATER } from './values.js';

/* The identities and jobs of the examples, in the JSON form of the API. */

export const identity = {
  email: 'ada@example.com',
  integrationId: 7,
  identity: 'ada-l',
  createdAt: AT,
  updatedAt: AT,
};
export const identityKey = { integrationId: 7, identity: 'ada-l' };
export const coverage = {
  integrationId: 7,
  accounts: 1204,
  owners: 1180,
  removed: 31,
  lastUpload: { acceptedAt: AT, jobId: ID, apiKey: { id: ID, name: 'nightly sync' }, uploadLink: null },
};
export const accountSystem = {
  integrationId: 7,
  name: 'GitHub',
  kind: 'github',
  accountUrl: 'https://github.com/{identity}',
  managedBy: null,
  revision: 1,
  savedBy: { id: ID, name: 'console' },
  updatedAt: AT,
};
export const accountSystemDay = {
  day: '2026-01-31',
  accounts: 1204,
  owners: 1180,
  listed: 1250,
  withoutOwner: 46,
};
export const accountSystemDocument = {
  name: 'GitHub',
  integrationId: 7,
  kind: 'github',
  accountUrl: 'https://github.com/{identity}',
  managedBy: 'https://git.example.com/platform/alerts',
};
export const historyEntry = {
  changedAt: '2026-01-31T12:00:00.123456Z',
  outcome: 'updated',
  before: 'grace@example.com',
  after: 'ada@example.com',
  jobId: ID,
  fileName: 'people.csv',
  apiKey: { id: ID, name: 'metrics reader' },
  uploadLink: null,
  plan: null,
};
export const identityChange = {
  ...identityKey,
  outcome: 'updated',
  before: 'grace@example.com',
  after: 'ada@example.com',
  jobId: ID,
  changedAt: '2026-01-31T12:00:00.123456Z',
};
export const feedSettings = {
  name: 'HR',
  source: {
    kind: 'https',
    url: 'https://hr.example.com/people.csv',
    headers: { authorization: 'Bearer your-token' },
  },
  recipe: {
    columns: { email: 'Work email' },
    integrationId: 7,
    rules: { identity: 'row.Login.lowerAscii()' },
    keep: 'row.Kind != "contractor"',
  },
  mirror: [7],
  guards: { maxRemovals: 20, maxAgeHours: 36 },
  schedule: { cron: '30 2 * * *', timeZone: 'Europe/Berlin' },
};
export const guards = {
  minRows: 1,
  maxRows: null,
  maxRowsChange: 0.5,
  maxRemovals: 20,
  maxRemovalShare: 0.1,
  maxOwnerChanges: null,
  maxOwnerChangeShare: 0.1,
  maxAgeHours: 36,
  sameEnd: true,
  sameColumns: true,
};
export const feed = {
  id: ID,
  name: 'HR',
  source: {
    kind: 'https',
    url: 'https://hr.example.com/people.csv',
    json: null,
    location: 'https://hr.example.com/people.csv',
    secrets: ['headers.authorization'],
  },
  recipe: feedSettings.recipe,
  mirror: [7],
  onError: 'abort',
  guards,
  schedule: feedSettings.schedule,
  paused: false,
  nextRunAt: LATER,
  problem: null,
  problemAt: null,
  revision: 1,
  savedBy: { id: ID, name: 'console' },
  createdAt: AT,
  updatedAt: AT,
};
export const feedRun = {
  id: ID,
  feedId: ID,
  state: 'held',
  startedBy: 'schedule',
  dryRun: false,
  startedAt: AT,
  endedAt: LATER,
  file: {
    name: 'people.csv',
    bytes: 48_213,
    digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    version: '"5d1c-64b"',
    modifiedAt: AT,
    columns: ['Work email', 'Login', 'Kind'],
    endsLine: true,
    sample: [
      {
        line: 2,
        row: { 'Work email': 'ada@example.com', Login: 'Ada-L', Kind: 'employee' },
        identity: { email: 'ada@example.com', integrationId: 7, identity: 'ada-l' },
        errors: [],
      },
    ],
  },
  facts: {
    rows: 611,
    rowsBefore: 1204,
    ...{ created: 0, updated: 0, removed: 593, unchanged: 611, rejected: 0 },
    ageHours: 1.5,
    columns: ['Work email', 'Login', 'Kind'],
    columnsBefore: ['Work email', 'Login', 'Kind'],
    endsLine: true,
    endsLineBefore: true,
  },
  tripped: [{ guard: 'maxRemovals', message: 'it would remove 593 accounts, and at most 20 are allowed' }],
  error: null,
  planId: ID,
  applyId: null,
};
export const columns = { email: 'Email Address', integrationId: 'Integration ID', identity: 'Username' };
const column = (name: string, field: string, sample: string) => ({
  name,
  field,
  candidate: field,
  samples: [sample],
});
export const uploadPreview = {
  compression: null,
  sheets: null,
  sheet: null,
  charset: 'utf-8',
  delimiter: ';',
  columns: [
    column('Email Address', 'email', 'ada@example.com'),
    column('Integration ID', 'integrationId', '7'),
    column('Username', 'identity', 'ada-l'),
  ],
  columnCount: 3,
  warnings: [],
  rows: [{ line: 2, email: 'ada@example.com', integrationId: '7', identity: 'ada-l', errors: [] }],
  checkedRows: 1,
  rejectedRows: 0,
  rowErrors: [],
  rowErrorCount: 0,
  integrationIds: [7],
  error: null,
};
export const job = {
  id: ID,
  type: 'identity-import',
  state: 'completed',
  dryRun: false,
  fileName: 'people.csv',
  callback: null,
  progress: { rowsRead: 1, rowsTotal: 1, bytesRead: 83, bytesTotal: 83, percent: 100 },
  columns,
  counts: { total: 1, created: 1, updated: 0, unchanged: 0, superseded: 0, rejected: 0 },
  warnings: [],
  links: { self: `/v2/jobs/${ID}` },
  createdAt: AT,
  startedAt: AT,
  finishedAt: LATER,
  expiresAt: null,
  attempts: 1,
};
const REVERT = { type: 'identity-revert', revertOf: ID, fileName: null, columns: undefined };
export const revert = { ...job, ...REVERT, counts: { total: 3, restored: 2, skipped: 1 } };
const APPLY = { type: 'identity-apply', applyOf: ID, fileName: null, columns: undefined };
export const apply = {
  ...job,
  ...APPLY,
  counts: { total: 3, created: 1, updated: 1, removed: 0, unchanged: 0, conflicts: 1 },
};
const FEED_RUN = { type: 'feed-run', fileName: null, columns: undefined };
export const feedJob = {
  ...job,
  ...FEED_RUN,
  counts: { total: 1204, created: 3, updated: 1, removed: 2, unchanged: 1200, rejected: 0, conflicts: 0 },
};
export const resolveJob = {
  ...job,
  type: 'alert-resolve',
  fileName: null,
  columns: undefined,
  counts: { total: 1, resolved: 1, skipped: 0 },
};
export const refoldJob = {
  ...job,
  type: 'alert-refold',
  dryRun: true,
  fileName: null,
  columns: undefined,
  counts: { alerts: 3, unchanged: 1, changed: 2, added: 0, removed: 0, partial: 0 },
  links: { self: `/v2/jobs/${ID}`, file: `/v2/jobs/${ID}/file` },
  expiresAt: '2026-02-07T12:00:02.000Z',
};
export const worklistJob = {
  ...job,
  type: 'identity-worklist',
  columns: undefined,
  counts: {
    total: 1,
    owned: 0,
    withCandidates: 1,
    withoutCandidates: 0,
    bot: 0,
    left: 0,
    later: 0,
    repeated: 0,
  },
  links: { self: `/v2/jobs/${ID}`, file: `/v2/jobs/${ID}/file` },
  expiresAt: '2026-02-07T12:00:02.000Z',
};
export const worklistDecision = {
  identity: 'ada-l',
  decision: 'owner',
  email: 'ada@example.com',
  suggested: {
    email: 'ada@example.com',
    score: 66,
    reason: 'initials and last name',
    rule: 'initials_and_last_name',
  },
  decidedBy: { id: ID, name: 'console' },
  decidedAt: AT,
};
export const worklistPrecision = {
  rule: 'initials_and_last_name',
  words: 'initials and last name',
  right: 41,
  decided: 44,
};
export const jobFacets = {
  jobs: 12,
  countedFrom: null,
  type: [{ value: 'identity-import', jobs: 12 }],
  state: [
    { value: 'completed', jobs: 12 },
    { value: 'failed', jobs: 1 },
  ],
};
export const upload = (message: string, more: object) => ({
  status: 'success',
  message,
  jobId: ID,
  ...more,
  warnings: [],
  links: job.links,
});
export const jobDone = { status: 'success', message: 'The job has completed.', jobId: ID, data: job };
export const jobGoesOn = {
  ...acceptedExample,
  data: {
    ...job,
    state: 'queued',
    columns: undefined,
    counts: null,
    startedAt: null,
    finishedAt: null,
    attempts: 0,
  },
};
export const revertGoesOn = { ...jobGoesOn.data, ...REVERT };
export const feedGoesOn = { ...jobGoesOn.data, ...FEED_RUN };
export const applyGoesOn = { ...jobGoesOn.data, ...APPLY };
export const replayJob = {
  ...job,
  type: 'message-replay',
  dryRun: true,
  fileName: null,
  columns: undefined,
  counts: { total: 12, replayed: 9, superseded: 2, skipped: 1, ends: 0 },
  links: { self: `/v2/jobs/${ID}`, file: `/v2/jobs/${ID}/file` },
  expiresAt: '2026-02-07T12:00:02.000Z',
};
