import { z } from 'zod';
import type { ValueError } from '../../../workers/identities/record/errors.js';
import { checkEmail, checkIdentity } from '../../../workers/identities/record/identity-record.js';
import { checkIntegrationId } from '../../../workers/identities/record/integration-id.js';

/** Returns a schema that applies one of the record rules, whose errors are more precise than those of a pattern. */
function ruled<Value extends string | number>(
  rule: (raw: unknown) => Value | ValueError,
  jsonSchema: Record<string, unknown>,
): z.ZodType<Value, Value> {
  const schema = z
    .unknown()
    .transform((raw, context): Value => {
      const value = rule(raw);
      if (typeof value !== 'object') return value;
      context.addIssue({ code: 'custom', message: value.message, params: { code: value.code } });
      return z.NEVER;
    })
    .meta({ override: jsonSchema });
  return schema as unknown as z.ZodType<Value, Value>;
}

/** The record rules as JSON Schema, as far as it can express them. */
export const EMAIL_DOC = { type: 'string', format: 'email', maxLength: 254 };
export const INTEGRATION_ID_DOC = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
export const IDENTITY_DOC = { type: 'string', minLength: 1, maxLength: 255 };

/** The email address of the account's owner. */
export const email = ruled(checkEmail, EMAIL_DOC);
/** The account system that contains the account. */
export const integrationId = ruled(checkIntegrationId, INTEGRATION_ID_DOC);
/** The account's name in its account system. */
export const identity = ruled(checkIdentity, IDENTITY_DOC);

/** One record of a JSON upload. */
export const recordSchema = z.object({ email, integrationId, identity }).meta({ id: 'IdentityRecord' });
