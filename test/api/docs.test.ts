import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../api/routes/index.js';
import { type Answer, Client } from '../support/client.js';
import { type Stack, startStack } from '../support/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = new Client(stack.url, null);
});
afterAll(() => stack.stop());

test('the OpenAPI document names every route, and every reference in it leads somewhere', async () => {
  const { body, status } = await client.get('/openapi.json');
  expect(status).toBe(200);
  expect(body.openapi).toMatch(/^3\.1\./);
  for (const route of routes) expect(body.paths[route.path]?.[route.method]?.summary).toBe(route.summary);
  for (const [, name] of JSON.stringify(body).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    expect(body.components.schemas[name as string]).toBeDefined();
  }
});

test('the document says of a record what the rules check', async () => {
  const { body } = await client.get('/openapi.json');
  const upload = body.paths['/v2/developers/identities'].patch.requestBody.content['application/json'].schema;
  expect(upload).toMatchObject({ type: 'array', minItems: 1, maxItems: 10_000 });
  expect(body.components.schemas.IdentityRecord).toMatchObject({
    required: ['email', 'integrationId', 'identity'],
    properties: {
      email: { type: 'string', format: 'email', maxLength: 254 },
      integrationId: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      identity: { type: 'string', minLength: 1, maxLength: 255 },
    },
  });
  expect(body.components.schemas.Job.properties.id).toMatchObject({ type: 'string', format: 'uuid' });
});

test('the page at /docs and its parts are served, scripts from this server alone', async () => {
  const page = await client.get('/docs');
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  const parts = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path as string);
  expect(parts.length).toBe(3);
  const answers: Answer[] = await Promise.all(parts.map((path) => client.get(path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await client.get('/docs/assets/package.json')).status).toBe(404);
});
