import type { Route } from '../endpoint/route.js';
import { once, type Prebuilt, prebuild } from '../http/prebuilt.js';
import { describeApi } from './openapi.js';

/**
 * Returns a function that builds the OpenAPI document of the service at `publicUrl` at the first call, and resolves to the
 * same document at every call.
 */
export const openapiDocument = (routes: readonly Route[], publicUrl: string): (() => Promise<Prebuilt>) =>
  once(async () =>
    prebuild(JSON.stringify(await describeApi(routes, publicUrl)), 'application/json; charset=utf-8'),
  );
