import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());
afterEach(() => stack.database('identities').delete());

const header = 'email,integrationId,identity\n';
const REPEATS = 'the key of an earlier row; the last row of a key wins';

const warningsOf = async (csv: string): Promise<unknown> => {
  const dry = await client.upload(csv, '?dryRun=true');
  const real = await client.upload(csv);
  expect([dry.status, real.status]).toEqual([200, 200]);
  expect(dry.body.warnings).toEqual(real.body.warnings);
  return real.body.warnings;
};

test('rows that repeat a key with the same owner are only counted', async () => {
  expect(await warningsOf(`${header}ada@x.org,7,ada\nADA@x.org ,7,ada\n`)).toEqual([
    { code: 'repeated_keys', message: `1 row repeats ${REPEATS}`, count: 1 },
  ]);
});

test('a key with different owners is reported with the conflicting lines and owners', async () => {
  const rows = ['ada@x.org,7,ada', 'eve@x.org,7,eve', '', '"ada@x.org",7,ada', 'bob@x.org,7,ada'];
  expect(await warningsOf(`${header}${rows.join('\r\n')}\n`)).toEqual([
    {
      code: 'repeated_keys',
      message:
        `2 rows repeat ${REPEATS}. 1 key has different owners: ` +
        'integrationId 7, identity "ada": ada@x.org (line 2), bob@x.org (line 6)',
      count: 2,
    },
  ]);
});

test('at most the first five such keys of a file are reported, each with at most three owners', async () => {
  const identities = ['z', 'y', 'x', 'w', 'v', 'u', 't'];
  const lines = identities.flatMap((name) => [`ada@x.org,7,${name}`, `bob@x.org,7,${name}`]);
  const owners = ['ada', 'bob', 'ada', 'eve', 'eve', 'joe'].map((name) => `${name}@x.org,1,"say ""hi"""`);
  const [warning] = (await warningsOf(header + [...owners, ...lines].join('\n'))) as [{ message: string }];
  expect(warning.message.split('. 8 keys have different owners: ')[1]?.split('; ')).toEqual([
    'integrationId 1, identity "say \\"hi\\"": ada@x.org (line 2), bob@x.org (line 3), ada@x.org (line 4), and 2 more',
    'integrationId 7, identity "z": ada@x.org (line 8), bob@x.org (line 9)',
    'integrationId 7, identity "y": ada@x.org (line 10), bob@x.org (line 11)',
    'integrationId 7, identity "x": ada@x.org (line 12), bob@x.org (line 13)',
    'integrationId 7, identity "w": ada@x.org (line 14), bob@x.org (line 15)',
    'and 3 more',
  ]);
});

test('a JSON upload reports the indexes of the records', async () => {
  const record = { email: 'ada@x.org', integrationId: 7, identity: 'ada' };
  const { body } = await client.json('PATCH', '/v2/developers/identities', [
    { ...record, identity: 'eve' },
    record,
    { ...record, email: 'bob@x.org' },
  ]);
  expect(body.warnings).toEqual([
    {
      code: 'repeated_keys',
      message:
        `1 row repeats ${REPEATS}. 1 key has different owners: ` +
        'integrationId 7, identity "ada": ada@x.org (index 1), bob@x.org (index 2)',
      count: 1,
    },
  ]);
});

test('a removal that contains a key twice has no conflict', async () => {
  const key = { integrationId: 7, identity: 'ada' };
  const { body } = await client.json('DELETE', '/v2/developers/identities', [key, key]);
  expect(body.warnings).toEqual([{ code: 'repeated_keys', message: `1 row repeats ${REPEATS}`, count: 1 }]);
});

test('long names are truncated, so the warning stays short', async () => {
  const identities = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}${'😀'.repeat(254)}`);
  const owner = (at: number) => `${'x'.repeat(60)}${at}@${`${'y'.repeat(60)}.`.repeat(3)}org`;
  const rows = identities.flatMap((name) => [0, 1, 2, 3].map((at) => `${owner(at)},7,${name}`));
  const [warning] = (await warningsOf(header + rows.join('\n'))) as [{ message: string }];
  expect(warning.message.length).toBeLessThan(3_000);
  expect(warning.message).toContain(`"a${'😀'.repeat(29)}…": ${'x'.repeat(60)}… (line 2)`);
});
