import { z } from 'zod';
import type { AccountSystemSettings } from '../../../db/identities/account-systems.js';
import { ACCOUNT_SYSTEM_KINDS, type KindName, kindOf } from '../../../workers/text/account-system-kinds.js';
import { ACCOUNT_URL_MAX, accountUrlFault } from '../../../workers/text/account-url.js';
import { managedBy } from '../../endpoint/managed-by.js';
import { pathName } from '../../endpoint/parameters.js';

const KINDS = ACCOUNT_SYSTEM_KINDS.map(({ kind }) => kind);

/** Returns a stored kind. A later release may have stored one that this one does not know. */
export const knownKind = (kind: string): KindName => KINDS.find((one) => one === kind) ?? 'other';

/** It is shown before the number, so it must not look like one, nor change the direction of the text that follows. */
export const accountSystemName = pathName
  .normalize('NFC')
  .refine(
    (text) => !/^\p{Nd}+$/u.test(text),
    'must not have only digits, because it would look like a number of an account system',
  )
  .refine(
    (text) => !/[\p{Bidi_Control}\u200b\u2028\u2029\ufeff]/u.test(text),
    'must not contain invisible characters that change the direction of text or break lines',
  )
  .meta({ description: 'The name. No other account system has it' });

const accountUrl = z
  .string()
  .trim()
  .max(ACCOUNT_URL_MAX)
  .superRefine((pattern, { addIssue }) => {
    const fault = accountUrlFault(pattern);
    if (fault) addIssue(fault);
  })
  .nullable()
  .optional()
  .meta({
    description:
      'Where an account is shown, such as `https://github.com/{identity}`. `{identity}` is in the path, the query or the fragment, and is percent-encoded when it is filled in. Default: that of the kind, if it has one; null: nowhere',
  });

/** What somebody says of the account system of a number. */
export const accountSystemSettings = z.strictObject({
  name: accountSystemName,
  kind: z.enum(KINDS).default('other').meta({ description: 'The product' }),
  accountUrl,
  managedBy: managedBy.default(null),
});

/** An account system as a file has it. */
export const accountSystemDocument = z
  .strictObject({
    name: accountSystemSettings.shape.name,
    integrationId: z.int().min(1).meta({ description: 'The number by which rows of uploads name it' }),
    kind: accountSystemSettings.shape.kind,
    accountUrl,
    managedBy: accountSystemSettings.shape.managedBy,
  })
  .meta({
    title: 'Muster account system',
    description: 'The name of an account system of Muster, such as GitHub, and where its accounts are shown',
  });

export type AccountSystemDocument = z.infer<typeof accountSystemDocument>;

/** Returns settings with what their kind says in place of what they leave out. */
export const withKind = <Settings extends { kind: string; accountUrl?: string | null | undefined }>(
  settings: Settings,
): Settings & Pick<AccountSystemSettings, 'accountUrl'> =>
  Object.assign({}, settings, {
    accountUrl: settings.accountUrl === undefined ? kindOf(settings.kind).accountUrl : settings.accountUrl,
  });
