import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Tables } from 'knex/types/tables.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const NASTY = [
  ...['=1+1', '+49 30', '-5', '@me', "'quoted", "'=SUM(A1)", "''=x", "'", '|pipe', '=', "'|", "'+"],
  ...[
    'say "hi"',
    '"',
    '""',
    ',',
    ';',
    'a,b;c\td'.replace('\t', '|'),
    '007',
    '1e3',
    'NULL',
    'null',
    '\\N',
    '\\"',
    "a'b",
  ],
  ...[
    '😀 emoji',
    'e\u0301',
    'é',
    'Å',
    'שלום',
    'مرحبا',
    '用户',
    'ﬁ',
    '0',
    'true',
    ' \u00a0x'.trim(),
    '#REF!',
    'sep=;',
    '%',
    '_',
  ],
];

describe.each([false, true])('a download with escapeFormulas=%s', (escapeFormulas) => {
  test('can be uploaded again without changes, whatever the identities are', async () => {
    await stack.database('identities').truncate();
    const records = NASTY.map((identity, i) => ({
      email: i % 2 ? `=${i}'x@example.com` : `"a.${i}"@example.com`,
      integrationId: i + 1,
      identity,
    }));
    const sent = await client.json('PATCH', '/v2/developers/identities?damaged=keep', records);
    expect(sent.body.counts).toMatchObject({ created: NASTY.length, rejected: 0 });
    const table = () => stack.database('identities').orderBy('integration_id');
    const before = await table();

    const { text } = await client.get(
      `/v2/developers/identities?format=csv&escapeFormulas=${escapeFormulas}`,
    );
    const [header, ...rows] = parse(text) as string[][];
    expect(header?.join()).toBe(
      escapeFormulas ? 'emailEscaped,integrationId,identityEscaped' : 'email,integrationId,identity',
    );
    const risky = rows.flat().filter((cell) => /^[=+\-@|]/.test(cell));
    expect(risky.length > 0).toBe(!escapeFormulas);

    const again = await client.upload(text, '?damaged=keep');
    expect({ status: again.status, errors: again.body.errors }).toEqual({ status: 200, errors: undefined });
    expect(again.body.counts).toMatchObject({ total: NASTY.length, unchanged: NASTY.length });
    const strip = (stored: Tables['identities'][]) => stored.map(({ asserted_by: _, ...row }) => row);
    expect(strip(await table())).toEqual(strip(before));
  });
});
