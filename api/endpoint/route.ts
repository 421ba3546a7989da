import type Koa from 'koa';
import { z } from 'zod';
import type { Scope } from '../../db/access/api-keys.js';
import type { Principal } from '../access/auth.js';
import type { RequestOrigin } from '../audit/request-origin.js';
import type { IdempotentRequest } from '../idempotency/idempotent-request.js';
import type { ApiServices } from '../services.js';
import type { RequestHeader } from './request-headers.js';
import type { HeaderDocs } from './response-headers.js';

/** What a handler gets: the checked parts of the request, and the services. */
export interface Input<Query, Params> {
  ctx: Koa.Context;
  query: Query;
  params: Params;
  /** Who sends the request. Meaningless on a public route. */
  principal: Principal;
  requestId: string;
  /** What the audit log says of the request. */
  origin: RequestOrigin;
  /** Null without an `Idempotency-Key`. The handler must report the body to it before it changes anything. */
  once: IdempotentRequest | null;
  services: ApiServices;
}

export interface ResponseDoc {
  description: string;
  /** The schema of a JSON body, or the schemas by media type. */
  body?: z.ZodType | Record<string, z.ZodType>;
  /** Headers in addition to those that every response of this status has, see `openapi/responses.ts`. */
  headers?: HeaderDocs;
}

/** One endpoint. The same object routes the request, checks it, and describes it in OpenAPI. */
export interface Route<Query extends z.ZodObject = z.ZodObject, Params extends z.ZodObject = z.ZodObject> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options';
  /** With parameters in braces: `/v2/jobs/{id}`. */
  path: string;
  /** Unique. Generated clients name their functions after it. */
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** The key must have one of these scopes. A `public` route needs no key. */
  scopes: readonly Scope[] | 'public';
  query: Query;
  params: Params;
  /** For OpenAPI only: the handler reads the body itself, because uploads are streamed. */
  requestBody?: Record<string, z.ZodType>;
  /** The responses of the handler. The document adds those of the checks before it. */
  responses: Record<number, ResponseDoc>;
  /** For OpenAPI only: the headers that it uses in addition to those of `idempotent` and `etag`. */
  headers?: readonly RequestHeader[];
  /** True for a GET whose 200 has an `ETag`. If `If-None-Match` contains it, the response is a 304. */
  etag?: boolean;
  /**
   * True if a route with another method than GET or OPTIONS changes nothing that belongs to people: a preview, or the intake. All others write
   * an entry into the audit log.
   */
  changesNothing?: boolean;
  /** True if the route supports `Idempotency-Key`. */
  idempotent?: boolean;
  /** True if the route streams a large body: it has a minimum rate instead of a time limit. */
  upload?: boolean;
  handle(input: Input<z.infer<Query>, z.infer<Params>>): Promise<void>;
}

/** What `Idempotency-Key` hashes for a request without a body. */
export const NO_BODY = Buffer.alloc(0);
export const NO_QUERY = z.strictObject({});
export const NO_PARAMS = z.strictObject({});
export const ID_PARAMS = z.strictObject({ id: z.uuid().meta({ description: 'Id of the resource' }) });

/** Checks the types of a route, and returns it as the type that the list of routes has. */
export function defineRoute<Query extends z.ZodObject, Params extends z.ZodObject>(
  route: Route<Query, Params>,
): Route {
  return route as unknown as Route;
}
