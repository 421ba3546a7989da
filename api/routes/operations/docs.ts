import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { once, prebuild, sendPrebuilt } from '../../http/prebuilt.js';
import { FILE_SCHEMAS } from '../by-name/file-schemas.js';
import { toFileSchema } from '../by-name/json-schema.js';

/** Resolved but not imported: the entry point of the package is the whole page, which runs in browsers only. */
const SWAGGER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** These paths need no key, so their content is built once and then sent from memory. */
const page = { tag: 'Documentation', scopes: 'public', query: NO_QUERY, method: 'get', etag: true } as const;

export const openapiJson = defineRoute({
  ...page,
  path: '/openapi.json',
  operationId: 'getOpenApiDocument',
  summary: 'Get the OpenAPI 3.1 document',
  params: NO_PARAMS,
  responses: { 200: { description: 'The OpenAPI document', body: z.looseObject({ openapi: z.string() }) } },
  handle: async ({ ctx, services }) => {
    sendPrebuilt(ctx, await services.openapiDocument(), FIVE_MINUTES);
  },
});

const schemaRoute = ({ one, file }: (typeof FILE_SCHEMAS)[number]) => {
  const schema = once(async () =>
    prebuild(JSON.stringify(toFileSchema(file)), 'application/schema+json; charset=utf-8'),
  );
  return defineRoute({
    ...page,
    path: `/schemas/${one}.json`,
    operationId: `get${one.replace(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase())}FileSchema`,
    summary: `Get the JSON Schema (draft 2020-12) of the file of ${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one.replaceAll('-', ' ')}, for editors`,
    params: NO_PARAMS,
    responses: {
      200: {
        description: 'The JSON Schema',
        body: { 'application/schema+json': z.looseObject({ $schema: z.string() }) },
      },
    },
    handle: async ({ ctx }) => {
      sendPrebuilt(ctx, await schema(), FIVE_MINUTES);
    },
  });
};

export const fileSchemas = FILE_SCHEMAS.map(schemaRoute);

const FIVE_MINUTES = 'public, max-age=300';

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Muster API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="icon" href="data:,">
</head>
<body>
<div id="docs"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null,
  defaultModelsExpandDepth: 0, persistAuthorization: false });
`;

const htmlFile = once(() => prebuild(HTML, 'text/html; charset=utf-8'));
const scriptFile = once(() => prebuild(SCRIPT, 'text/javascript; charset=utf-8'));

/** Swagger UI uses inline styles. Scripts come only from this server. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const docsPage = defineRoute({
  ...page,
  path: '/docs',
  operationId: 'getDocsPage',
  summary: 'Get the documentation page',
  params: NO_PARAMS,
  responses: { 200: { description: 'The HTML page', body: { 'text/html': z.string() } } },
  handle: async ({ ctx }) => {
    ctx.set('Content-Security-Policy', POLICY);
    sendPrebuilt(ctx, await htmlFile(), FIVE_MINUTES);
  },
});

export const docsScript = defineRoute({
  ...page,
  path: '/docs/start.js',
  operationId: 'getDocsScript',
  summary: 'Get the script that starts the documentation page',
  params: NO_PARAMS,
  responses: { 200: { description: 'The script', body: { 'text/javascript': z.string() } } },
  handle: async ({ ctx }) => {
    sendPrebuilt(ctx, await scriptFile(), FIVE_MINUTES);
  },
});

const swaggerFile = (name: string, type: string) =>
  once(async () => prebuild(await readFile(join(SWAGGER, name)), type));
const assets = {
  'swagger-ui.css': swaggerFile('swagger-ui.css', 'text/css; charset=utf-8'),
  'swagger-ui-bundle.js': swaggerFile('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
};
const assetParams = z.strictObject({
  name: z.enum(['swagger-ui.css', 'swagger-ui-bundle.js']).meta({ description: 'File name' }),
});

export const docsAsset = defineRoute({
  ...page,
  path: '/docs/assets/{name}',
  operationId: 'getDocsAsset',
  summary: 'Get an asset of the documentation page',
  params: assetParams,
  responses: { 200: { description: 'A style sheet or a script', body: { '*/*': z.string() } } },
  handle: async ({ ctx, params }) => {
    const { name } = assetParams.parse(params);
    sendPrebuilt(ctx, await assets[name](), 'public, max-age=86400');
  },
});
