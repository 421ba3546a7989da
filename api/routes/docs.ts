import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { notFound } from '../errors.js';
import { describeApi } from '../openapi.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../route.js';
import { routes } from './index.js';

/** Found and not loaded: the package's own entry is the whole page, which a server never runs. */
const SWAGGER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const page = { tag: 'Documentation', scopes: 'public', query: NO_QUERY, method: 'get' } as const;

export const openapiJson = defineRoute({
  ...page,
  path: '/openapi.json',
  summary: 'This interface as OpenAPI 3.1',
  params: NO_PARAMS,
  responses: { 200: { description: 'The document', body: z.looseObject({ openapi: z.string() }) } },
  handle: async ({ ctx, services }) => {
    ctx.body = describeApi(routes, services.settings.publicUrl);
  },
});

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

/** Swagger UI styles elements in place; scripts still come from this server alone. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const docsPage = defineRoute({
  ...page,
  path: '/docs',
  summary: 'This interface, readable',
  params: NO_PARAMS,
  responses: { 200: { description: 'A page', body: { 'text/html': z.string() } } },
  handle: async ({ ctx }) => {
    ctx.set('Content-Security-Policy', POLICY);
    ctx.type = 'html';
    ctx.body = HTML;
  },
});

export const docsScript = defineRoute({
  ...page,
  path: '/docs/start.js',
  summary: 'Starts the page at /docs',
  params: NO_PARAMS,
  responses: { 200: { description: 'A script', body: { 'text/javascript': z.string() } } },
  handle: async ({ ctx }) => {
    ctx.type = 'text/javascript';
    ctx.body = SCRIPT;
  },
});

const assetParams = z.strictObject({ name: z.enum(['swagger-ui.css', 'swagger-ui-bundle.js']) });

export const docsAsset = defineRoute({
  ...page,
  path: '/docs/assets/{name}',
  summary: 'Parts of the page at /docs',
  params: assetParams,
  responses: { 200: { description: 'A style sheet or a script', body: { '*/*': z.string() } } },
  handle: async ({ ctx, params }) => {
    if (!assetParams.safeParse(params).success) throw notFound('file');
    ctx.type = params.name.endsWith('.css') ? 'text/css' : 'text/javascript';
    ctx.set('Cache-Control', 'public, max-age=86400');
    ctx.body = createReadStream(join(SWAGGER, params.name));
  },
});
