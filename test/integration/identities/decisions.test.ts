import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { Client } from '../../support/api/client.js';
import { insertIdentities } from '../../support/api/identities.js';
import { toRows, workbookOf } from '../../support/files/workbook-file.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

const PATH = '/v2/integrations/7/decisions';
let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());
beforeEach(() =>
  insertIdentities(stack.database, [
    { email: 'ada.lindqvist@example.com', integrationId: 8, identity: 'ada-l' },
    { email: 'john.smith@example.com', integrationId: 8, identity: 'jsmith' },
    { email: 'jane.smith@example.com', integrationId: 8, identity: 'jsmith2' },
  ]),
);
afterEach(async () => {
  await stack.database('identities').truncate();
  await stack.database('worklist_decisions').truncate();
});

type Row = Record<string, string>;
const decide = (...decisions: object[]) => client.json('PUT', PATH, decisions);
const stored = async () =>
  (await client.get(PATH)).body.data.map(({ identity, decision, email }: Row) => [identity, decision, email]);

/** Makes a worklist of these accounts of account system 7. */
async function worklist(identities: readonly string[], query = '') {
  const file = `identity\n${identities.join('\n')}\n`;
  const form = new FormData();
  form.append('file', new Blob([file]), 'accounts.csv');
  const { body } = await client.send('POST', `/v2/integrations/7/worklists${query}`, { body: form });
  const job = (await client.jobEnd(body.jobId)).body.data;
  const text = (await client.get(job.links.file)).text;
  return { job, text, rows: parse(text, { columns: true }) as Row[] };
}

const sendFile = (text: string) => {
  const form = new FormData();
  form.append('file', new Blob([text]), 'decided.csv');
  return client.send('POST', PATH, { body: form });
};

test('each decision changes the next worklist, and writes no identity', async () => {
  const before = await stack.database('identities').orderBy('identity');
  const accounts = ['ada-l', 'jsmith', 'dependabot', 'gone', 'tomorrow', 'Gone'];
  const { rows } = await worklist(accounts);
  expect(rows.map(({ candidate1 }) => candidate1)).toEqual([
    'ada.lindqvist@example.com',
    'john.smith@example.com',
    '',
    '',
    '',
    '',
  ]);
  const { body } = await decide(
    { identity: 'ada-l', decision: 'owner', email: 'Boss@Example.com' },
    { identity: 'jsmith', decision: 'not_this_person', email: 'john.smith@example.com' },
    { identity: 'dependabot', decision: 'bot' },
    { identity: 'gone', decision: 'left' },
    { identity: 'tomorrow', decision: 'later' },
  );
  expect(body).toEqual({ status: 'success', counts: { saved: 5, unchanged: 0, removed: 0 } });
  expect(await stack.database('identities').orderBy('identity')).toEqual(before);

  const next = await worklist(accounts);
  expect(
    next.rows.map(({ identity, email, decision, candidate1, reason1, candidate2 }) => [
      identity,
      email,
      decision,
      candidate1,
      reason1?.split(';')[0],
      candidate2,
    ]),
  ).toEqual([
    ['ada-l', 'boss@example.com', 'owner', 'boss@example.com', 'decided', 'ada.lindqvist@example.com'],
    ['jsmith', '', '', 'jane.smith@example.com', expect.any(String), ''],
    // Accounts differ in upper case, as identities do.
    ['Gone', '', '', '', '', ''],
  ]);
  expect(next.job.counts).toEqual({
    ...{ total: 6, owned: 0, withCandidates: 2, withoutCandidates: 1, repeated: 0 },
    ...{ bot: 1, left: 1, later: 1 },
  });
  const all = await worklist(accounts, '?includeDecided=true');
  expect(all.rows.map(({ decision }) => decision)).toEqual(['owner', '', 'bot', 'left', 'later', '']);
  expect(all.job.counts).toMatchObject({ bot: 0, left: 0, later: 0, withoutCandidates: 4 });
});

test('later is over after 30 days by the clock of the database, and begins again when it is decided again', async () => {
  await decide({ identity: 'tomorrow', decision: 'later' });
  expect((await worklist(['tomorrow'])).job.counts).toMatchObject({ later: 1 });
  await stack.database.raw('UPDATE worklist_decisions SET decided_at = decided_at - INTERVAL 31 DAY');
  const { rows, job } = await worklist(['tomorrow']);
  expect(rows.map(({ identity, decision }) => [identity, decision])).toEqual([['tomorrow', '']]);
  expect(job.counts).toMatchObject({ later: 0, withoutCandidates: 1 });
  expect((await decide({ identity: 'tomorrow', decision: 'later' })).body.counts).toMatchObject({ saved: 1 });
  expect((await worklist(['tomorrow'])).job.counts).toMatchObject({ later: 1 });
});

test('a decision replaces the other one, an owner is not rejected, and decisions can be taken back', async () => {
  const a = { identity: 'ada-l', decision: 'owner', email: 'a@example.com' };
  const notA = { identity: 'ada-l', decision: 'not_this_person', email: 'a@example.com' };
  const notB = { identity: 'ada-l', decision: 'not_this_person', email: 'b@example.com' };
  await decide(a, notB);
  expect((await decide(a)).body.counts).toEqual({ saved: 0, unchanged: 1, removed: 0 });
  expect((await decide(notA)).body.counts).toEqual({ saved: 1, unchanged: 0, removed: 1 });
  expect(await stored()).toEqual([
    ['ada-l', 'not_this_person', 'a@example.com'],
    ['ada-l', 'not_this_person', 'b@example.com'],
  ]);
  await decide({ identity: 'ada-l', decision: 'bot' }, a);
  expect(await stored()).toEqual([
    ['ada-l', 'owner', 'a@example.com'],
    ['ada-l', 'not_this_person', 'b@example.com'],
  ]);
  await decide({ identity: 'ada-l', decision: null });
  expect(await stored()).toEqual([['ada-l', 'not_this_person', 'b@example.com']]);
  expect((await decide({ identity: 'ada-l', decision: null, email: 'b@example.com' })).body.counts).toEqual({
    saved: 0,
    unchanged: 0,
    removed: 1,
  });
  expect(await stored()).toEqual([]);
});

test('all errors are reported by index, and nothing is stored', async () => {
  const { status, body } = await decide(
    { identity: 'ada-l', decision: 'bot' },
    { identity: '', decision: 'owner', email: 'a@example.com' },
    { identity: 'a', decision: 'owner' },
    { identity: 'a', decision: 'left', email: 'a@example.com' },
    { identity: 'a', decision: 'maybe' },
    { identity: 'a', decision: 'not_this_person', email: 'nobody' },
  );
  expect([status, body.code]).toEqual([400, 'invalid_body']);
  expect(body.errors.map(({ index, field }: Row) => [index, field])).toEqual([
    [1, 'identity'],
    [2, 'email'],
    [3, 'email'],
    [4, 'decision'],
    [5, 'email'],
  ]);
  expect(await stored()).toEqual([]);
  const reader = await Client.of(stack, 'developer_records:read');
  expect((await reader.json('PUT', PATH, [{ identity: 'a', decision: 'bot' }])).status).toBe(403);
  expect((await reader.get(PATH)).status).toBe(200);
});

test('a worklist that is filled in is read as decisions, and still as an upload of identities', async () => {
  const { text } = await worklist(['ada-l', 'jsmith', 'dependabot', 'silent']);
  const [header, ada, john, bot, silent] = text.split('\n') as [string, string, string, string, string];
  const decidedAs = (row: string, word: string) => row.replace(/^(,7,[^,]*,,,)/, `$1${word}`);
  const filled = [
    header,
    `ada.lindqvist@example.com${ada}`,
    decidedAs(john, 'Not this person'),
    decidedAs(bot, 'bot'),
    silent,
  ].join('\n');
  const { status, body } = await sendFile(filled);
  expect([status, body.counts]).toEqual([200, { total: 4, saved: 3, unchanged: 0, removed: 0 }]);
  const { data } = (await client.get(PATH)).body;
  expect(data).toEqual([
    expect.objectContaining({
      identity: 'ada-l',
      decision: 'owner',
      email: 'ada.lindqvist@example.com',
      suggested: expect.objectContaining({ email: 'ada.lindqvist@example.com', rule: 'known_alias' }),
      decidedBy: expect.objectContaining({ name: expect.any(String) }),
    }),
    expect.objectContaining({ identity: 'dependabot', decision: 'bot', email: null, suggested: null }),
    expect.objectContaining({
      identity: 'jsmith',
      decision: 'not_this_person',
      email: 'john.smith@example.com',
    }),
  ]);
  const uploaded = await client.upload(filled, '?onError=continue');
  expect(uploaded.body.counts).toMatchObject({ created: 1, rejected: 3 });
  expect(uploaded.body.warnings[0]).toMatchObject({ code: 'extra_columns' });

  const csv = (await client.get(`${PATH}?format=csv&escapeFormulas=true`)).text;
  expect(parse(csv, { columns: true })).toHaveLength(3);
  expect((await sendFile(csv)).body.counts).toEqual({ total: 3, saved: 0, unchanged: 3, removed: 0 });
});

test('an invalid file of decisions is rejected with all errors by line', async () => {
  const { status, body } = await sendFile(
    'identity,integrationId,decision,email\nada,7,bot,\n,7,bot,\nada,8,perhaps,\nada,7,owner,\n',
  );
  expect([status, body.code, body.errorCount]).toEqual([400, 'invalid_rows', 4]);
  expect(body.errors.map(({ line, field }: Row) => [line, field])).toEqual([
    [3, 'identity'],
    [4, 'integrationId'],
    [4, 'decision'],
    [5, 'email'],
  ]);
  expect(await stored()).toEqual([]);
  expect((await sendFile('identity\nada\n')).body.code).toBe('column_missing');
});

test('the precision of each rule is counted from the first candidates', async () => {
  const RULES = {
    'initials and last name': 'initials_and_last_name',
    'known alias in account system 8; display name: normalized name': 'known_alias',
    'display name: edit distance 1 of an alias in account system 12': 'edit_distance',
  };
  const reasons = Object.keys(RULES) as (keyof typeof RULES)[];
  const oracle = new Map<string, { right: number; decided: number }>();
  const decisions = Array.from({ length: 300 }, (_, i) => {
    const reason = reasons[i % 3] as (typeof reasons)[number];
    const first = `person${i}@example.com`;
    const kind = (i * 7) % 5;
    const suggested = { email: first, score: 66, reason };
    if (kind < 4) {
      const counts = oracle.get(RULES[reason]) ?? { right: 0, decided: 0 };
      if (kind < 3) {
        counts.decided += 1;
        if (kind < 2) counts.right += 1;
      }
      oracle.set(RULES[reason], counts);
    }
    const identity = `a${i}`;
    if (kind < 2) return { identity, decision: 'owner', email: first, suggested };
    if (kind === 2) return { identity, decision: 'not_this_person', email: first, suggested };
    // The rejected one was not the first candidate: that says nothing about the first.
    if (kind === 3) return { identity, decision: 'not_this_person', email: 'x@example.com', suggested };
    return { identity, decision: 'bot', suggested };
  });
  expect((await decide(...decisions)).body.counts.saved).toBe(300);
  // The first candidate was rejected and somebody else is the owner: wrong once.
  const twice = decisions.find(
    ({ decision, email }) => decision === 'not_this_person' && email !== 'x@example.com',
  );
  await decide({ ...twice, decision: 'owner', email: 'other@example.com' });
  const { data } = (await client.get(`${PATH}/precision`)).body;
  expect(data.map(({ rule, right, decided }: Row) => [rule, { right, decided }])).toEqual(
    ['known_alias', 'initials_and_last_name', 'edit_distance'].map((rule) => [rule, oracle.get(rule)]),
  );
  expect(data[1].words).toBe('initials and last name');
});

test('the list is filtered and read page by page', async () => {
  await decide(...['c', 'a', 'b', 'A'].map((identity) => ({ identity, decision: 'bot' })));
  await decide({ identity: 'b', decision: 'not_this_person', email: 'b@example.com' });
  const first = (await client.get(`${PATH}?pageSize=3`)).body;
  const next = (await client.get(`${PATH}?pageSize=3&cursor=${first.page.nextCursor}`)).body;
  const seen = [...first.data, ...next.data].map(({ identity, email }: Row) => [identity, email]);
  expect(seen).toEqual([
    ['A', null],
    ['a', null],
    ['b', null],
    ['b', 'b@example.com'],
    ['c', null],
  ]);
  expect((await client.get(`${PATH}?decision=not_this_person`)).body.data).toHaveLength(1);
  expect((await client.get(`${PATH}?identity=b`)).body.data).toHaveLength(2);
  expect((await client.get('/v2/integrations/8/decisions')).body.data).toEqual([]);
});

test('a batch of exact matches is accepted, as an upload that can be tried and reverted', async () => {
  await insertIdentities(stack.database, [
    { email: 'zoe.w@example.com', integrationId: 8, identity: 'zoe-w' },
    { email: 'twin.one@example.com', integrationId: 8, identity: 'twin' },
    { email: 'twin.two@example.com', integrationId: 9, identity: 'twin' },
  ]);
  const table = () =>
    stack
      .database('identities')
      .orderBy(['integration_id', 'identity'])
      .select('integration_id', 'identity', 'email');
  const accounts = ['ada-l', 'zoe-w', 'twin', 'jane.smith@example.com', 'jsmith', 'ada-lindqvist'];
  const { job } = await worklist(accounts);
  const before = await table();
  const accept = (query: string) =>
    client.send('POST', `/v2/jobs/${job.id}/accept${query}`, { headers: { prefer: 'wait=20' } });
  const exact = async () =>
    (
      await stack.database('identities').where('integration_id', 7).whereNotNull('email').orderBy('identity')
    ).map(({ identity, email }) => [identity, email]);

  expect((await accept('?rules=same_name')).status).toBe(400);
  // Decided since the worklist was made: another person, and an upload.
  await decide({ identity: 'jsmith', decision: 'left' });
  await client.upload('email,integrationId,identity\nboss@example.com,7,zoe-w\n');
  const tried = await accept('?rules=same_email,known_alias&dryRun=true');
  expect(tried.body.data).toMatchObject({
    type: 'identity-import',
    dryRun: true,
    counts: { total: 2, created: 2 },
  });
  expect(await exact()).toEqual([['zoe-w', 'boss@example.com']]);

  const { status, body } = await accept('?rules=same_email,known_alias');
  expect([status, body.data.state]).toEqual([200, 'completed']);
  expect(body.data.fileName).toBe(`accepted-${job.id}.csv`);
  // `twin` has two candidates with the same score.
  expect(await exact()).toEqual([
    ['ada-l', 'ada.lindqvist@example.com'],
    ['jane.smith@example.com', 'jane.smith@example.com'],
    ['zoe-w', 'boss@example.com'],
  ]);
  expect((await accept('')).body.code).toBe('nothing_to_accept');
  const history = (await client.get('/v2/developers/identities/history?integrationId=7&identity=ada-l')).body
    .data;
  expect(history[0]).toMatchObject({ jobId: body.jobId, fileName: `accepted-${job.id}.csv` });

  const reverted = await client.send('POST', `/v2/jobs/${body.jobId}/revert`, {
    headers: { prefer: 'wait=20' },
  });
  expect(reverted.body.data.counts).toMatchObject({ restored: 2, skipped: 0 });
  const after = (await table()).filter(({ email }) => email !== null);
  expect(
    after.filter(({ identity, integration_id }) => !(integration_id === 7 && identity === 'zoe-w')),
  ).toEqual(before);
  expect((await client.send('POST', `/v2/jobs/${body.jobId}/accept`)).body.code).toBe('job_not_worklist');
});

test('of several accepts at once, one uploads the candidates', async () => {
  const { job } = await worklist(['ada-l', 'jsmith']);
  const accept = (query: string) =>
    client.send('POST', `/v2/jobs/${job.id}/accept?rules=known_alias${query}`, {
      headers: { prefer: 'respond-async' },
    });
  const all = await Promise.all([accept(''), accept(''), accept('&dryRun=true'), accept(''), accept('')]);
  const [dryRun] = all.splice(2, 1);
  expect(dryRun?.status).toBe(202);
  const accepted = all.filter(({ status }) => status === 202);
  expect(accepted).toHaveLength(1);
  const jobId = accepted[0]?.body.jobId;
  for (const { body } of all.filter(({ status }) => status !== 202))
    expect([body.code, body.jobId]).toEqual(['already_accepting', jobId]);
  const { data } = (await client.jobEnd(jobId)).body;
  expect(data).toMatchObject({ acceptOf: job.id, dryRun: false, counts: { created: 2 } });
});

test('a worklist that is filled in as a workbook is read as decisions, with errors by row', async () => {
  const headers = {
    'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  };
  const send = (rows: string[][], query = '') =>
    client.send('POST', `${PATH}${query}`, { body: workbookOf({ rows: toRows(rows) }), headers });
  const rows = [
    ['email', 'integrationId', 'identity', 'decision', 'candidate1'],
    ['', '7', 'ada-l', 'perhaps', ''],
    ['', '7', 'jsmith', 'not this person', 'john.smith@example.com'],
    ['', '7', 'dependabot', 'bot', ''],
  ];
  const { status, body } = await send(rows);
  expect([status, body.errors.map(({ line, field }: Row) => [line, field])]).toEqual([
    400,
    [[2, 'decision']],
  ]);
  expect(await stored()).toEqual([]);
  expect((await send(rows.slice(0, 1), '?sheet=Other')).body.code).toBe('sheet_unknown');
  expect((await send([...rows.slice(0, 1), ...rows.slice(2)])).body.counts).toMatchObject({
    saved: 2,
    total: 2,
  });
  expect(await stored()).toEqual([
    ['dependabot', 'bot', null],
    ['jsmith', 'not_this_person', 'john.smith@example.com'],
  ]);
});
