import { z } from 'zod';
import type { BodySettings } from '../../../db/outbox/destinations.js';
import { compileBody, compileFilter, type MappingError } from '../../../workers/mapping/index.js';
import type { Preset } from '../../../workers/outbox/presets/preset.js';
import { badRequest, type ErrorDetail } from '../../http/errors.js';

export const filterSchema = z
  .string()
  .trim()
  .max(2_048)
  .nullable()
  .meta({
    description:
      'A condition in CEL over `alert` and `transition`, such as `alert.service == "shop"`. What it is false for is not told, unless the destination was told of the alert ' +
      'before. If it cannot decide, the message is sent. Null: no filter',
  });

export const bodySchema = z
  .strictObject({
    contentType: z.enum(['application/json', 'text/plain']).default('application/json'),
    template: z.string().max(8_192).optional().meta({
      description:
        'Text with tags such as `{{alert.title}}`. In JSON, `{{…}}` is escaped for a text in quotes, and `{{{…}}}` is a whole value',
    }),
    expression: z.string().max(2_048).optional().meta({
      description: 'An expression in CEL, such as `{"text": alert.title}`',
    }),
  })
  .refine(
    ({ template, expression }) => (template === undefined) !== (expression === undefined),
    'must have either template or expression',
  )
  .nullable()
  .meta({
    description:
      'What draws the bodies of messages from `alert` and `transition`; only for the preset `webhook`. A message that it cannot be drawn for is dead. Null: as the preset has it',
  });

/** @throws RequestError 400 with what is wrong with a filter, and where */
export function requireFilter(source: string | null | undefined): void {
  if (source) requireCompiled('filter', compileFilter(source));
}

/** @throws RequestError 400 with what is wrong with a body, and where */
export function requireBody(preset: Preset, body: BodySettings | null | undefined): void {
  if (!body) return;
  if (!preset.drawsOwnBody) {
    const message = 'Messages of this preset have a format of their own: they cannot have another body.';
    throw badRequest('invalid_body', message, [{ field: 'body', code: 'invalid_body', message }]);
  }
  requireCompiled('body', compileBody(body));
}

function requireCompiled(what: 'filter' | 'body', result: object | { errors: MappingError[] }): void {
  if (!('errors' in result)) return;
  const details = result.errors.map(
    ({ code, message, line, column }): ErrorDetail => ({
      ...(line === undefined || column === undefined ? {} : { line, column }),
      field: what,
      code,
      message,
    }),
  );
  throw badRequest(`invalid_${what}`, `\`${what}\`: ${details[0]?.message}.`, details);
}
