import { z } from 'zod';
import type { ResponseDoc } from './route.js';

/** The API key that saved a revision. */
export const authorSchema = z
  .object({ id: z.uuid(), name: z.string() })
  .nullable()
  .meta({ description: 'The API key that saved it. `null` if it was saved before Muster recorded this' });

/** The body of every 4xx and 5xx. */
export const errorSchema = z
  .object({
    status: z.literal('error'),
    message: z.string(),
    code: z.string().meta({ description: 'Stable, snake_case' }),
    requestId: z.string(),
    errors: z
      .array(
        z.object({
          line: z
            .number()
            .int()
            .optional()
            .meta({ description: 'Line of the CSV file or template, counted from 1' }),
          column: z.number().int().optional().meta({ description: 'Column of the template, counted from 1' }),
          index: z.number().int().optional().meta({ description: 'Index in the JSON array, counted from 0' }),
          field: z.string().nullable(),
          code: z.string(),
          message: z.string(),
        }),
      )
      .meta({ description: 'The first 100 errors' }),
    errorCount: z.number().int().meta({ description: 'The number of all errors' }),
    jobId: z.uuid().optional(),
    current: z
      .object({ revision: z.number().int(), savedBy: authorSchema })
      .optional()
      .meta({ description: 'With status 412: the current revision' }),
    candidates: z
      .array(
        z.object({
          column: z.string(),
          field: z.enum(['email', 'integrationId', 'identity']).nullable(),
        }),
      )
      .optional()
      .meta({
        description:
          'If the header of a CSV file is not understood: its first 100 columns, and the field that each contains or may ' +
          'contain. Choose the right ones with `columns`',
      }),
  })
  .meta({ id: 'Error' });

/** Returns the error responses that a route adds to those of the checks before its handler. */
export const failures = (...statuses: number[]): Record<number, ResponseDoc> =>
  Object.fromEntries(
    statuses.map((status) => [status, { description: meaningOf(status), body: errorSchema }]),
  );

/** Returns how the OpenAPI document describes an error status. */
export const meaningOf = (status: number): string => MEANING[status] ?? 'Error';

const MEANING: Record<number, string> = {
  400: 'The request is invalid; `errors` lists every error',
  401: 'The API key is missing or invalid',
  403: 'The API key lacks the required scope, or another key has to approve the change',
  404: 'The resource does not exist, or the API key may not see it',
  405: 'The method is not supported; `Allow` lists those that are',
  406: 'The resource is not available in the media types of `Accept`',
  408: 'The request did not arrive in time',
  409: 'The request conflicts with the current state of the resource',
  410: 'The resource is no longer available',
  412: '`If-Match` names another revision; `current` is the current one. Nothing was changed',
  413: 'The body exceeds the size limit',
  415: 'The media type or content coding is not supported',
  416: 'The requested range is outside the file',
  422: 'The request is well-formed but cannot be processed',
  429: 'A limit of the API key or the integration is reached; `code` and `message` name it. Retry after `Retry-After` seconds',
  500: 'An unexpected error; the log has it under `requestId`',
  502: 'Another service that the request depends on cannot be reached, or failed',
  503: 'A required service is unavailable or overloaded; retry after `Retry-After` seconds',
};
