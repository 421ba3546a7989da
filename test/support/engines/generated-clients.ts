/** A generator of clients. */
export interface Generator {
  name: string;
  /** The arguments of its program in `.engines/generators`, which writes next to the file `openapi.json`. Null: the test generates. */
  command: readonly string[] | null;
  /** A module that exports the functions of `Keeper`, with the types that it has generated. */
  source: string;
}

/** What each client does with the types that were generated for it, and runs. */
export const JOURNEY = `
  import type { Keeper } from './keeper.js';
  import { keeper } from './client.js';

  const { put, get, remove }: Keeper = keeper(process.env.MUSTER_URL!, process.env.MUSTER_API_KEY!);
  const name = process.argv[2]!;
  const document = { name, template: 'generic-alert', resolveAfterSeconds: 900 };
  const steps = [
    await put(name, document, { dryRun: true }),
    await put(name, document, { ifMatch: '"0"' }),
    await get(name),
    await put(name, { ...document, description: 'by hand' }, { ifMatch: '"0"' }),
    await remove(name, '"0"'),
    await remove(name, '*'),
    await get(name),
  ];
  console.log(JSON.stringify(steps));
`;

export const KEEPER = `
  /** A status, and of a success what the response says: the outcome, or the description of the integration. */
  export type Result = [status: number, said: string | null];
  export interface Document { name: string; template: string; resolveAfterSeconds: number; description?: string }
  export interface Keeper {
    put(name: string, document: Document, options: { dryRun?: boolean; ifMatch?: string }): Promise<Result>;
    get(name: string): Promise<Result>;
    remove(name: string, ifMatch: string): Promise<Result>;
  }
`;

const IMPORT = `import type { Keeper } from './keeper.js';`;

export const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript and openapi-fetch',
    command: null,
    source: `
      ${IMPORT}
      import createClient from 'openapi-fetch';
      import type { paths } from './schema.js';
      export function keeper(baseUrl: string, key: string): Keeper {
        const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } });
        const path = '/v2/by-name/integrations/{name}';
        return {
          put: async (name, body, { dryRun, ifMatch }) => {
            const { data, response } = await client.PUT(path, {
              params: { path: { name }, query: { dryRun }, header: { 'If-Match': ifMatch } },
              body,
            });
            return [response.status, data?.data.outcome ?? null];
          },
          get: async (name) => {
            const { data, response } = await client.GET(path, { params: { path: { name } } });
            return [response.status, data?.data.document.name ?? null];
          },
          remove: async (name, ifMatch) => {
            const params = { path: { name }, header: { 'If-Match': ifMatch } };
            return [(await client.DELETE(path, { params })).response.status, null];
          },
        };
      }`,
  },
  {
    name: '@hey-api/openapi-ts',
    command: [
      'openapi-ts',
      '-i',
      'openapi.json',
      '-o',
      'generated',
      '-c',
      '@hey-api/client-fetch',
      '--silent',
    ],
    source: `
      ${IMPORT}
      import { deleteIntegrationByName, getIntegrationByName, putIntegrationByName } from './generated/index.js';
      import { client } from './generated/client.gen.js';
      export function keeper(baseUrl: string, key: string): Keeper {
        client.setConfig({ baseUrl, auth: key });
        return {
          put: async (name, body, { dryRun, ifMatch }) => {
            const query = dryRun === undefined ? {} : { dryRun };
            const headers = ifMatch === undefined ? {} : { 'If-Match': ifMatch };
            const { data, response } = await putIntegrationByName({ path: { name }, query, headers, body });
            return [response!.status, data?.data.outcome ?? null];
          },
          get: async (name) => {
            const { data, response } = await getIntegrationByName({ path: { name } });
            return [response!.status, data?.data.document.name ?? null];
          },
          remove: async (name, ifMatch) => {
            const { response } = await deleteIntegrationByName({ path: { name }, headers: { 'If-Match': ifMatch } });
            return [response!.status, null];
          },
        };
      }`,
  },
  {
    name: 'oazapfts',
    command: ['oazapfts', 'openapi.json', 'generated.ts'],
    source: `
      ${IMPORT}
      import * as api from './generated.js';
      export function keeper(baseUrl: string, key: string): Keeper {
        api.defaults.baseUrl = baseUrl;
        api.defaults.headers = { authorization: \`Bearer \${key}\` };
        return {
          put: async (name, document, options) => {
            const response = await api.putIntegrationByName(name, document, options);
            const isDone = response.status === 200 || response.status === 201;
            return [response.status, isDone ? response.data.data.outcome : null];
          },
          get: async (name) => {
            const response = await api.getIntegrationByName(name);
            return [response.status, response.status === 200 ? response.data.data.document.name : null];
          },
          remove: async (name, ifMatch) => [(await api.deleteIntegrationByName(name, { ifMatch })).status, null],
        };
      }`,
  },
  {
    name: 'openapi-typescript-codegen',
    command: ['openapi', '--input', 'openapi.json', '--output', 'generated', '--useOptions'],
    source: `
      ${IMPORT}
      import { ApiError, IntegrationFileService, OpenAPI } from './generated/index.js';
      /** Only errors have a status. */
      async function statusOf<Body>(done: number, ask: () => Promise<Body>, said: (body: Body) => string | null): Promise<[number, string | null]> {
        try {
          return [done, said(await ask())];
        } catch (error) {
          if (error instanceof ApiError) return [error.status, null];
          throw error;
        }
      }
      export function keeper(baseUrl: string, key: string): Keeper {
        OpenAPI.BASE = baseUrl;
        OpenAPI.TOKEN = key;
        // By default, it leaves a slash of a name as it is.
        OpenAPI.ENCODE_PATH = (path) => encodeURIComponent(path);
        return {
          put: (name, requestBody, options) =>
            statusOf(
              options.dryRun ? 200 : 201,
              () => IntegrationFileService.putIntegrationByName({ name, requestBody, ...options }),
              ({ data }) => data.outcome,
            ),
          get: (name) =>
            statusOf(200, () => IntegrationFileService.getIntegrationByName({ name }), ({ data }) => data.document.name),
          remove: (name, ifMatch) =>
            statusOf(204, () => IntegrationFileService.deleteIntegrationByName({ name, ifMatch }), () => null),
        };
      }`,
  },
  {
    name: 'swagger-typescript-api',
    command: [
      'swagger-typescript-api',
      'generate',
      '-p',
      'openapi.json',
      '-o',
      '.',
      '-n',
      'generated.ts',
      '--silent',
    ],
    source: `
      ${IMPORT}
      import { Api, type HttpResponse } from './generated.js';
      /** Errors are thrown. It does not escape names in paths. */
      async function resultOf<Body>(asked: Promise<HttpResponse<Body, unknown>>, said: (body: Body) => string | null): Promise<[number, string | null]> {
        try {
          const { status, data } = await asked;
          return [status, said(data)];
        } catch (error) {
          if (error instanceof Response) return [error.status, null];
          throw error;
        }
      }
      export function keeper(baseUrl: string, key: string): Keeper {
        const { v2 } = new Api({ baseUrl, baseApiParams: { headers: { authorization: \`Bearer \${key}\` } } });
        // It loses those of a Headers object.
        const matching = (ifMatch = ''): { headers: Record<string, string> } => ({ headers: ifMatch === '' ? {} : { 'If-Match': ifMatch } });
        return {
          put: (name, document, { dryRun, ifMatch }) => {
            const query = dryRun === undefined ? {} : { dryRun };
            const asked = v2.putIntegrationByName(encodeURIComponent(name), document, query, matching(ifMatch));
            return resultOf(asked, ({ data }) => data.outcome);
          },
          get: (name) => resultOf(v2.getIntegrationByName(encodeURIComponent(name)), ({ data }) => data.document.name),
          remove: (name, ifMatch) =>
            resultOf(v2.deleteIntegrationByName(encodeURIComponent(name), matching(ifMatch)), () => null),
        };
      }`,
  },
];
