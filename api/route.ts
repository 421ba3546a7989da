import type Koa from 'koa';
import { z } from 'zod';
import type { ApiKey, Scope } from '../db/api-keys.js';
import type { OnceRequest } from './idempotency.js';
import type { RequestHeader } from './request-headers.js';
import type { Services } from './services.js';

/** What a handler is given: the request's checked parts, and what to work with. */
export interface Input<Query, Params> {
  ctx: Koa.Context;
  query: Query;
  params: Params;
  /** Whose request it is. On a public route this is never looked at. */
  apiKey: ApiKey;
  requestId: string;
  /** There when the request has an `Idempotency-Key`: to be told of the body before anything lasting is done. */
  once: OnceRequest | null;
  services: Services;
}

export interface ResponseDoc {
  description: string;
  /** Body as JSON, or by media type. */
  body?: z.ZodType | Record<string, z.ZodType>;
}

/** One endpoint: the same object checks the request, routes it and describes it in OpenAPI. */
export interface Route<Query extends z.ZodObject = z.ZodObject, Params extends z.ZodObject = z.ZodObject> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Parameters in braces: `/v2/jobs/{id}`. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** Any one of these opens the route; `public` needs no key. */
  scopes: readonly Scope[] | 'public';
  query: Query;
  params: Params;
  /** For OpenAPI alone: the handler reads the body itself, because uploads are streamed. */
  requestBody?: Record<string, z.ZodType>;
  responses: Record<number, ResponseDoc>;
  /** For OpenAPI alone: the headers that it takes beside the `Idempotency-Key` of `idempotent`. */
  headers?: readonly RequestHeader[];
  /** True for routes that take an `Idempotency-Key`. */
  idempotent?: boolean;
  /** True for routes that stream a large body: they have a least rate in place of a time limit. */
  upload?: boolean;
  handle(input: Input<z.infer<Query>, z.infer<Params>>): Promise<void>;
}

export const NO_QUERY = z.strictObject({});
export const NO_PARAMS = z.strictObject({});
export const ID_PARAMS = z.strictObject({ id: z.uuid().meta({ description: 'Id of the resource' }) });

/** Checks a route's types where it is written, and gives it the one type that the list of routes holds. */
export function defineRoute<Query extends z.ZodObject, Params extends z.ZodObject>(
  route: Route<Query, Params>,
): Route {
  return route as unknown as Route;
}
