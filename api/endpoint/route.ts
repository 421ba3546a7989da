import type Koa from 'koa';
import { z } from 'zod';
import type { ApiKey, Scope } from '../../db/access/api-keys.js';
import type { IdempotentRequest } from '../idempotency/idempotent-request.js';
import type { Services } from '../services.js';
import type { RequestHeader } from './request-headers.js';
import type { HeaderDocs } from './response-headers.js';

/** What a handler is given: the request's checked parts, and what to work with. */
export interface Input<Query, Params> {
  ctx: Koa.Context;
  query: Query;
  params: Params;
  /** Whose request it is. On a public route this is never looked at. */
  apiKey: ApiKey;
  requestId: string;
  /** There when the request has an `Idempotency-Key`: to be told of the body before anything lasting is done. */
  once: IdempotentRequest | null;
  services: Services;
}

export interface ResponseDoc {
  description: string;
  /** Body as JSON, or by media type. */
  body?: z.ZodType | Record<string, z.ZodType>;
  /** Headers beside those that every such response has, see `openapi-responses.ts`. */
  headers?: HeaderDocs;
}

/** One endpoint: the same object checks the request, routes it and describes it in OpenAPI. */
export interface Route<Query extends z.ZodObject = z.ZodObject, Params extends z.ZodObject = z.ZodObject> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Parameters in braces: `/v2/jobs/{id}`. */
  path: string;
  /** Unique; generated clients name their functions after it. */
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** Any one of these opens the route; `public` needs no key. */
  scopes: readonly Scope[] | 'public';
  query: Query;
  params: Params;
  /** For OpenAPI alone: the handler reads the body itself, because uploads are streamed. */
  requestBody?: Record<string, z.ZodType>;
  /** Its own responses; those that the checks before the handler give are added to the document. */
  responses: Record<number, ResponseDoc>;
  /** For OpenAPI alone: the headers that it takes beside the `Idempotency-Key` of `idempotent`. */
  headers?: readonly RequestHeader[];
  /** True for a GET whose 200 has an `ETag`; with that in `If-None-Match` the response is 304. */
  etag?: boolean;
  /** True for routes that take an `Idempotency-Key`. */
  idempotent?: boolean;
  /** True for routes that stream a large body: they have a least rate in place of a time limit. */
  upload?: boolean;
  handle(input: Input<z.infer<Query>, z.infer<Params>>): Promise<void>;
}

/** What a request without a body is hashed as. */
export const NO_BODY = Buffer.alloc(0);
export const NO_QUERY = z.strictObject({});
export const NO_PARAMS = z.strictObject({});
export const ID_PARAMS = z.strictObject({ id: z.uuid().meta({ description: 'Id of the resource' }) });

/** Checks a route's types where it is written, and gives it the one type that the list of routes holds. */
export function defineRoute<Query extends z.ZodObject, Params extends z.ZodObject>(
  route: Route<Query, Params>,
): Route {
  return route as unknown as Route;
}
