import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import openapiTS from 'openapi-typescript';
import { describeApi } from '../../../api/openapi/openapi.js';
import { routes } from '../../../api/routes/index.js';

/** Below node_modules, so that imports of the client's package resolve. */
let folder: string;
beforeAll(async () => {
  const cache = join('node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'muster-typed-client-'));
  const document = JSON.parse(JSON.stringify(await describeApi(routes, 'https://muster.internal')));
  writeFileSync(join(folder, 'schema.ts'), await openapiTS(document));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compiles a file next to the generated types. Returns the output of the compiler, empty without errors. */
function compile(source: string): string {
  const file = join(folder, 'usage.ts');
  writeFileSync(file, source);
  const flags = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck', '--ignoreConfig'];
  try {
    execFileSync('npx', [
      '--no-install',
      'tsc',
      ...flags,
      '--module',
      'nodenext',
      '--target',
      'es2023',
      file,
    ]);
    return '';
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout);
  }
}

const HEAD = `
  import createClient from 'openapi-fetch';
  import type { operations, paths } from './schema.js';
  const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:3000' });
  /** The JSON type of an operation's successful response. */
  export type Done<Id extends keyof operations> = operations[Id] extends {
    responses: { 200: { content: { 'application/json': infer Body } } };
  } ? Body : never;
`;

test('a client generated from the document reads lists without type narrowing', () => {
  const output = compile(`${HEAD}
    export async function read(): Promise<string[]> {
      const query = { pageSize: 100, cursor: 'c' };
      const jobs = await client.GET('/v2/jobs', { params: { query: { ...query, type: 'alert-remap' } } });
      const keys = await client.GET('/v2/keys', { params: { query } });
      const webhooks = await client.GET('/v2/webhooks', { params: { query } });
      if (jobs.error || keys.error || webhooks.error) throw new Error('rejected');
      return [
        ...jobs.data.data.map(({ id, type }): \`\${typeof type}\` => (id ? type : 'alert-export')),
        ...keys.data.data.map(({ name }) => name),
        ...webhooks.data.data.map(({ name }) => name),
      ];
    }
    export const titles = (page: Done<'listAlerts'>): (string | null)[] => page.data.map(({ title }) => title);
    export const alertsOf = (page: Done<'listEvents'>): string[] => page.data.flatMap(({ alertIds }) => alertIds);
    export const owners = ({ data, page }: Done<'listIdentities'>): [string[], string | null] =>
      [data.map(({ email }) => email), page.nextCursor];
    export const flags: operations['updateIdentities']['parameters']['query'] = { dryRun: true, onError: 'continue' };
  `);
  expect(output).toBe('');
});

test('the types of that client reject what the service rejects', () => {
  const output = compile(`${HEAD}
    void client.GET('/v2/jobs', { params: { query: { state: 'lost' } } });
  `);
  expect(output).toContain('"lost"');
});
