import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { theRow } from '../../../support/the-row.js';
import { desk, jobs, storedRows, upload, useDesk } from './desk.js';

useDesk();

/** Writes a file next to the desk's and returns its path. */
const write = (name: string, content: string | object): string => {
  const path = join(desk.folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const stored = async () => {
  const rows = await desk.stack.database('identities').orderBy(['integration_id', 'identity']);
  return rows.map((row) => `${row.email} ${row.integration_id} ${row.identity}`);
};

test('DevLake: accounts.csv and users.csv', async () => {
  const users = write(
    'users.csv',
    'Id,Name,Email,TeamIds\nu1,Ada Lovelace,ada@example.com,1;2\nu2,Grace,,3\n',
  );
  const accounts = write(
    'accounts.csv',
    'Id,Email,FullName,UserName,AvatarUrl,Organization,CreatedDate,Status,UserId\n' +
      'github:GithubAccount:1:8518239,noreply@github.com,Ada Lovelace,ada-l,https://a/1,,2020-01-31,0,u1\n' +
      'jira:JiraAccount:2:5b10a,,"Lovelace, Ada",alovelace,,,,0,u1\n' +
      'jira:JiraAccount:2:5b10b,,Nobody,nobody,,,,0,\n' +
      'gitlab:GitlabAccount:1:7,,Ada,ada,,,,0,u1\n',
  );
  const { code, out, screen } = await upload([
    ...['--from', 'devlake', accounts, '--users', users],
    ...['--integrations', 'github:7,jira:8'],
  ]);
  expect(screen).toContain('Converted accounts.csv: 2 accounts\n');
  expect(screen).toContain('Left out 1 account without an email\n');
  expect(screen).toContain('Left out 1 account of gitlab: not in --integrations\n');
  expect([code, out.includes('created     2')]).toEqual([0, true]);
  expect(await stored()).toEqual(['ada@example.com 7 ada-l', 'ada@example.com 8 alovelace']);
  expect(JSON.parse((await theRow(jobs())).params)).toMatchObject({ expectedRows: 2 });
  expect((await theRow(jobs())).file_name).toBe('accounts.csv');
});

test('SortingHat: the JSON of its identities', async () => {
  const file = write('sh.json', {
    blacklist: [],
    organizations: {},
    source: null,
    time: '2026-01-31 12:00:00',
    uidentities: {
      '03e12d00': {
        enrollments: [],
        identities: [
          {
            email: 'ada@work.example.com',
            id: 'a1',
            name: 'Ada',
            source: 'git',
            username: null,
            uuid: '03e12d00',
          },
          { email: null, id: 'a2', name: null, source: 'github', username: 'ada-l', uuid: '03e12d00' },
        ],
        profile: { country: null, email: 'ada@example.com', is_bot: false, name: 'Ada', uuid: '03e12d00' },
        uuid: '03e12d00',
      },
      '17ab0000': {
        enrollments: [],
        identities: [
          {
            email: 'g@example.com',
            id: 'b1',
            name: 'G',
            source: 'github',
            username: 'ghopper',
            uuid: '17ab0000',
          },
        ],
        profile: null,
        uuid: '17ab0000',
      },
    },
  });
  expect((await upload(['--from', 'sortinghat', file, '--integrations', 'github:7'])).code).toBe(0);
  expect(await stored()).toEqual(['ada@example.com 7 ada-l', 'g@example.com 7 ghopper']);
});

const graphql = (list: object) => ({
  data: { organization: { samlIdentityProvider: { externalIdentities: list } } },
});
const node = {
  guid: 'x',
  samlIdentity: { nameId: 'ada@example.com' },
  scimIdentity: null,
  user: { login: 'ada-l' },
};

test.each([
  [
    'github-org',
    'CSV',
    'login,name,tfa_enabled,is_public,updated_at,last_active,role,saml_name_id\nada-l,Ada,true,true,,,Member,ada@example.com\n',
  ],
  ['github-org', 'JSON', [{ login: 'ada-l', name: 'Ada', role: 'Member', saml_name_id: 'ada@example.com' }]],
  ['github-org', 'GraphQL nodes', graphql({ nodes: [node] })],
  ['github-org', 'GraphQL edges', graphql({ edges: [{ node }, { node: { ...node, samlIdentity: null } }] })],
  [
    'gitlab',
    'members CSV',
    'Name,Username,Email,Path,Group or project name,Type,Role,Role type\nAda,ada-l,ada@example.com,twitter,Twitter,Group,Planner,default\n',
  ],
  [
    'gitlab',
    'permissions CSV',
    'Username,Email,Type,Path,Access Level\nada-l,ada@example.com,Group,team,Owner\n',
  ],
  ['gitlab', 'users', [{ id: 1, username: 'ada-l', name: 'Ada', state: 'active', email: 'ada@example.com' }]],
  ['okta', 'CSV', 'login,firstName,lastName,email\nada-l,Ada,Lovelace,ada@example.com\n'],
  [
    'okta',
    'users',
    [
      {
        id: '00u1',
        status: 'ACTIVE',
        profile: { login: 'ada-l', email: 'ada@example.com', firstName: 'Ada' },
      },
    ],
  ],
])('%s: %s', async (from, _, content) => {
  const file = write('export', content as string | object);
  const { code, out } = await upload(['--from', from, file, '--integration-id', '7']);
  expect([code, out.includes('created     1')]).toEqual([0, true]);
  expect(await stored()).toEqual(['ada@example.com 7 ada-l']);
});

test('a dry run writes nothing, and no converted file stays', async () => {
  const file = write('users.csv', 'Username,Email\nada-l,ada@example.com\n');
  const { code, out } = await upload(['--from', 'gitlab', file, '--integration-id', '7', '--dry-run']);
  expect([code, out.includes('Dry run, no rows rejected')]).toEqual([0, true]);
  expect(await storedRows()).toEqual([]);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('muster-convert-'))).toEqual([]);
});

test('invalid accounts are named with their line and field, and nothing is sent', async () => {
  const file = write('users.csv', 'Username,Email\nada-l,ada@example.com\n"",nobody\nbob,bob@example.com\n');
  const { code, screen } = await upload(['--from', 'gitlab', file, '--integration-id', '7']);
  expect(code).toBe(1);
  expect(screen).toContain(`${file} has invalid accounts. Nothing was uploaded.`);
  expect(screen).toContain('\n  line 3, Email: must be an email address such as `ada@example.com`\n');
  expect(screen).toContain('\n  line 3, Username: must not be empty\n');
  expect(await jobs()).toEqual([]);
  const again = await upload(['--from', 'gitlab', file, '--integration-id', '7', '--on-error', 'continue']);
  expect([again.code, again.out.includes('1 ROW REJECTED')]).toEqual([0, true]);
  expect(readdirSync(desk.folder).sort()).toEqual(['users.csv', 'users.rejected.csv']);
});

test.each([
  [
    'gitlab',
    'Name,Mail\nAda,ada@example.com\n',
    'line 1: no column for identity. The line contains "Name", "Mail". Is it the right kind of export?',
  ],
  ['okta', '{"users": []}', 'the document: must be a list. Is it the right kind of export?'],
  ['okta', '[{"profile": }]', 'Unexpected token'],
  ['gitlab', 'Username,Email\n"ada-l,ada@example.com\n', 'line 2: the quote that opens here is not closed'],
  ['gitlab', 'Username,Email\nada-l,\n', 'has no account to upload.\nLeft out 1 account without an email'],
])('a file of another kind is reported: %s %j', async (from, content, message) => {
  const { code, screen } = await upload(['--from', from, write('file', content), '--integration-id', '7']);
  expect([code, screen.includes(message) || screen]).toEqual([1, true]);
  expect(await jobs()).toEqual([]);
});

const members = (rows: string) => write('members.csv', `Username,Email\n${rows}`);
const mirror7 = ['--mirror', '7', '--max-removals', '9'];

test('an export of which accounts would be left out cannot be mirrored', async () => {
  await upload(['--from', 'gitlab', members('ada,ada@x.com\nbob,bob@x.com\n'), '--integration-id', '7']);
  const before = (await jobs()).length;
  const file = members('ada,ada@x.com\nbob,\n');
  for (const more of [[], ['--dry-run'], ['--on-error', 'continue']]) {
    const { code, screen } = await upload([
      ...['--from', 'gitlab', file, '--integration-id', '7', ...mirror7, ...more],
    ]);
    expect([code, screen]).toEqual([
      1,
      `${file} has 1 account that would be left out, and --mirror would remove them. Nothing was uploaded. ` +
        'Give each an email and an account system in the export or delete it there, or upload without --mirror.\n' +
        '  line 3, account bob: Email is empty\n',
    ]);
  }
  const users = write('users.csv', 'Id,Email\nu1,ada@x.com\n');
  const many = Array.from({ length: 12 }, (_, i) => `GitHub:GithubAccount:1:${i},a${i},u1\n`).join('');
  const accounts = write('accounts.csv', `Id,UserName,UserId\n${many}github:GithubAccount:1:99,ada,u1\n`);
  const { code, screen } = await upload([
    ...['--from', 'devlake', accounts, '--users', users, '--integrations', 'github:7', ...mirror7],
  ]);
  expect([code, screen]).toEqual([1, expect.stringContaining('has 12 accounts that would be left out')]);
  expect(screen).toContain('\n  line 2, account a0: GitHub is not in --integrations\n');
  expect(screen).toContain('\n  ... and 2 more accounts\n');
  expect([(await jobs()).length, await storedRows()]).toEqual([before, ['ada', 'bob']]);
});

test('a complete export is mirrored', async () => {
  const export7 = (rows: string, more: string[] = []) =>
    upload(['--from', 'gitlab', members(rows), '--integration-id', '7', ...more]);
  await export7('ada,ada@x.com\nbob,bob@x.com\n');
  const { code, out } = await export7('ada,ada@x.com\n', ['--expected-rows', '1', ...mirror7]);
  expect([code, out.includes('removed     1'), await storedRows()]).toEqual([0, true, ['ada']]);
});

test.each([[], ['--dry-run']])('a mirror that skips its removals exits with 3: %j', async (...more) => {
  const team = (rows: string) => write('team.csv', `email,integrationId,identity\n${rows}`);
  await upload([team('ada@x.com,7,ada\nbob@x.com,7,bob\n')]);
  const rejected = team('ada@x.com,7,ada\nnobody,7,bob\n');
  const { code, out } = await upload([rejected, '--on-error', 'continue', ...mirror7, ...more]);
  expect([code, await storedRows()]).toEqual([3, ['ada', 'bob']]);
  expect(out).toContain('Warning: no account was removed, because rejected rows may name accounts.');
});

test('an export with another number of accounts than expected is not sent', async () => {
  const file = members('ada,ada@x.com\nbob,\n');
  const gitlab = ['--from', 'gitlab', file, '--integration-id', '7', '--expected-rows'];
  const short = await upload([...gitlab, '1200']);
  expect([short.code, short.screen]).toEqual([
    1,
    `${file} has 2 accounts, but --expected-rows is 1,200. It may be incomplete. Nothing was uploaded.\n`,
  ]);
  expect((await upload([...gitlab, '1'])).screen).toMatch(/is 1\. Nothing was uploaded/);
  expect(await jobs()).toEqual([]);
  // Accounts that are left out count too.
  expect((await upload([...gitlab, '2'])).code).toBe(0);
});

test('a disk that is full during the conversion is reported, and no file with emails stays', async () => {
  const users = write('users.csv', `Id,Email\n${'u1,ada@x.com\n'.repeat(50_000)}`);
  const accounts = write('accounts.csv', 'Id,UserName,UserId\ngithub:GithubAccount:1:1,ada,u1\n');
  const command = [process.execPath, '--import', 'tsx', 'scripts/upload.ts', '--from', 'devlake', accounts];
  // Every write to a file fails with EFBIG.
  const { status, stderr } = spawnSync(
    'sh',
    [...['-c', 'ulimit -f 0 && exec "$@"', 'sh'], ...command, '--users', users, '--integrations', 'github:7'],
    {
      env: {
        ...process.env,
        ...{ NODE_OPTIONS: '', TSX_DISABLE_CACHE: '1', TMPDIR: desk.folder },
        ...{ MUSTER_URL: desk.stack.url, MUSTER_API_KEY: desk.key },
      },
      encoding: 'utf8',
    },
  );
  expect(stderr).toMatch(/^The export could not be converted, because .* EFBIG.* Nothing was uploaded\.\n$/);
  expect(status).toBe(1);
  expect(readdirSync(desk.folder).filter((name) => name.startsWith('muster-convert-'))).toEqual([]);
});

test('a file with other columns is uploaded as a mirror, and accounts are removed', async () => {
  const team = (names: string[]) =>
    `Mail;Login\n${names.map((name) => `${name}@example.com;${name}\n`).join('')}`;
  const options = ['--columns', 'email:Mail,identity:Login', '--integration-id', '7'];
  await upload([write('team.csv', team(['ada', 'bob', 'eve'])), ...options, '--expected-rows', '3']);
  const mirror = ['--mirror', '7', '--max-removals'];
  const tooMany = await upload([write('team.csv', team(['ada'])), ...options, ...mirror, '1']);
  expect([tooMany.code, await storedRows()]).toEqual([1, ['ada', 'bob', 'eve']]);
  expect(tooMany.screen).toContain('Failed: The file does not name 2 accounts');
  const { code, out } = await upload([write('team.csv', team(['ada', 'bob'])), ...options, ...mirror, '1']);
  expect(code).toBe(0);
  expect(out).toContain('removed     1');
  expect(out).toContain('Columns: email from "Mail", identity from "Login"');
  const gone = await upload([write('gone.csv', 'identity\nbob\n'), '--remove', '--integration-id', '7']);
  expect([gone.code, await storedRows()]).toEqual([0, ['ada']]);
  expect(gone.out).toContain('removed     1');
});

test.each([
  [
    ['--from', 'github'],
    '--from must be one of devlake, sortinghat, github-org, gitlab, gitlab-placeholders, okta, not github',
  ],
  [['--from', 'okta'], '--from okta needs --integration-id, the account system of its accounts'],
  [['--from', 'devlake'], '--from devlake needs --integrations, such as github:7,jira:8'],
  [
    ['--from', 'devlake', '--integrations', 'github'],
    '--integrations must be SYSTEM:N pairs such as github:7, not github',
  ],
  [
    ['--from', 'okta', '--integration-id', 'x'],
    '--integration-id: an account system is a positive integer, not x',
  ],
  [
    ['--from', 'okta', '--integration-id', '7', '--columns', 'email:a'],
    '--columns cannot be combined with --from',
  ],
  [
    ['--from', 'okta', '--integration-id', '7', '--expected-rows', '0'],
    '--expected-rows must be a positive integer, not 0',
  ],
  [['--users', 'x'], '--users needs --from'],
  [['--mirror', '7'], '--mirror and --max-removals go together'],
  [['--mirror', '7', '--max-removals', '1', '--remove'], '--mirror and --remove cannot be combined'],
])('an invalid command line is reported: %j', async (args, message) => {
  const { code, screen } = await upload([desk.file, ...args]);
  expect([code, screen]).toEqual([2, expect.stringContaining(message)]);
});

const MEMBERS = 'Name,Username,Email\n"Lovelace, Ada",ada-l,ada@example.com\n';

test.each([
  ['a semicolon', MEMBERS.replaceAll(',', ';').replace('Lovelace; Ada', 'Lovelace, Ada')],
  ['a sep= line', `sep=,\n${MEMBERS}`],
  ['a byte order mark', `\ufeff${MEMBERS}`],
  ['names in another case', MEMBERS.replace('Username', 'user name')],
  ['names that an upload knows', 'login;E-mail\nada-l;ada@example.com\n'],
])('an export is read like any other file: %s', async (_, content) => {
  const file = write('members.csv', content);
  expect((await upload(['--from', 'gitlab', file, '--integration-id', '7'])).code).toBe(0);
  expect(await stored()).toEqual(['ada@example.com 7 ada-l']);
});

test('the charset of an export can be declared, and the error suggests it', async () => {
  const file = join(desk.folder, 'members.csv');
  writeFileSync(file, Buffer.from('Name,Username,Email\nMüller,müller,mu@example.com\n', 'latin1'));
  const run = (...more: string[]) => upload(['--from', 'gitlab', file, '--integration-id', '7', ...more]);
  const failed = await run();
  expect([failed.code, failed.screen]).toEqual([
    1,
    expect.stringContaining(
      'line 2: byte \\xFC at offset 21 in column 1 cannot be decoded as UTF-8. With --charset windows-1252',
    ),
  ]);
  expect((await run('--charset', 'windows-1252')).code).toBe(0);
  expect(await stored()).toEqual(['mu@example.com 7 müller']);
});

test("GitLab's placeholder users: accounts of the source hosts", async () => {
  const file = write(
    'placeholders.csv',
    'Source host,Import type,Source user identifier,Source user name,Source username,GitLab username,GitLab public email\n' +
      'github.com,github,101,"Lovelace, Ada",ada-l,ada,ada@example.com\n' +
      'github.com,github,102,Grace,ghopper,grace,\n',
  );
  const { code, screen } = await upload([
    '--from',
    'gitlab-placeholders',
    file,
    '--integrations',
    'github.com:7',
  ]);
  expect([code, screen]).toEqual([0, expect.stringContaining('Left out 1 account without an email')]);
  expect(await stored()).toEqual(['ada@example.com 7 ada-l']);
});

test('SortingHat: values that it does not have are no owners, and no accounts without a warning', async () => {
  const identity = (username: string | null, email: string | null) => ({ username, email, source: 'github' });
  const file = write('sh.json', {
    uidentities: {
      u1: {
        profile: { email: '-- UNDEFINED --' },
        identities: [
          identity(null, 'ada@example.com'),
          identity('-- UNDEFINED --', null),
          identity('ada-l', null),
        ],
      },
    },
  });
  const { code, out } = await upload(['--from', 'sortinghat', file, '--integrations', 'github:7']);
  expect([code, out]).toEqual([0, expect.stringContaining('-- UNDEFINED --')]);
  expect(await stored()).toEqual(['ada@example.com 7 -- UNDEFINED --', 'ada@example.com 7 ada-l']);
});

test('a value that a spreadsheet lost is an invalid account', async () => {
  const file = write('members.csv', 'Username,Email\n#N/A,ada@example.com\n');
  const { code, screen } = await upload(['--from', 'gitlab', file, '--integration-id', '7']);
  expect([code, screen]).toEqual([
    1,
    expect.stringContaining('line 2, Username: a spreadsheet lost this value: #N/A'),
  ]);
  expect(screen).toContain('If it is the real value, add --damaged keep\n');
  expect((await upload(['--from', 'gitlab', file, '--integration-id', '7', '--damaged', 'keep'])).code).toBe(
    0,
  );
});

test('an owner that a spreadsheet lost is named', async () => {
  const file = write('members.csv', 'Username,Email\nada,#N/A\n');
  const { code, screen } = await upload(['--from', 'gitlab', file, '--integration-id', '7']);
  expect([code, screen]).toEqual([
    1,
    expect.stringContaining(
      'line 2, Email: a spreadsheet lost this value: #N/A. Restore it from its source\n',
    ),
  ]);
});

test('two columns for a field are an error that names both', async () => {
  const file = write('members.csv', 'Username,Login,Email\nada,al,ada@example.com\n');
  const { code, screen } = await upload(['--from', 'gitlab', file, '--integration-id', '7']);
  expect([code, screen]).toEqual([
    1,
    expect.stringMatching(
      /, line 1: more than one column for identity: "Username" and "Login"\..*"Email"\.\n$/,
    ),
  ]);
});

test('what the reader notes about an export is shown, and a compressed export is sent under its name', async () => {
  const file = join(desk.folder, 'c9.csv.gz');
  writeFileSync(file, gzipSync('User\u200bname,Email,Team,\n="007",ada@example.com,core\n'));
  const { code, screen } = await upload(['--from', 'gitlab', file, '--integration-id', '7']);
  expect([code, screen.match(/^(?:Warning|Sending .*csv).*/gm)]).toEqual([
    0,
    [
      'Warning: c9.csv.gz: names of columns contain invisible characters: "User<U+200B>name"',
      expect.stringMatching(
        /^Warning: c9\.csv\.gz: padding .* line 2, 3 cells, the header has 4; line 2, identity "=\\"007\\""$/,
      ),
      expect.stringMatching(/^Sending c9\.csv \(/),
    ],
  ]);
  expect(await stored()).toEqual(['ada@example.com 7 007']);
});
