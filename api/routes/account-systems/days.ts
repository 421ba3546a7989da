import { z } from 'zod';
import { listDays } from '../../../db/identities/account-system-days.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_QUERY } from '../../endpoint/route.js';
import { ACCOUNT_SYSTEM_PARAMS } from '../identities/coverage/read.js';

const count = z.number().int().nullable();

export const accountSystemDaySchema = z
  .object({
    day: z.iso.date().meta({ description: 'In UTC' }),
    accounts: count.meta({
      description: 'Accounts that have an owner. `null` if counting them took too long',
    }),
    owners: count.meta({
      description: 'Different owners of these accounts. `null` if counting them took too long',
    }),
    listed: count.meta({
      description: 'The accounts of the last worklist until this day. `null` if there was none',
    }),
    withoutOwner: count.meta({ description: 'Those of them that had no owner' }),
  })
  .meta({ id: 'AccountSystemDay' });

export const listAccountSystemDays = defineRoute({
  method: 'get',
  path: '/v2/integrations/{integrationId}/days',
  operationId: 'listAccountSystemDays',
  tag: 'Account system',
  summary: 'List how much of an account system was recorded on each day',
  description:
    'The oldest day first. A worker counts once a day; days are kept for 400 days. Muster learns which accounts have no owner from worklists only, so `withoutOwner` is that of the last one.',
  scopes: ['developer_records:read'],
  query: NO_QUERY,
  params: ACCOUNT_SYSTEM_PARAMS,
  responses: {
    200: {
      description: 'The days',
      body: z.object({ ...success, data: z.array(accountSystemDaySchema) }),
    },
    ...failures(404),
  },
  handle: async ({ ctx, params, services: { database } }) => {
    const days = await listDays(database, params.integrationId);
    const data = days.map(({ day, accounts, owners, listed, withoutOwner }) => ({
      day: day.toISOString().slice(0, 10),
      accounts,
      owners,
      listed,
      withoutOwner,
    }));
    ctx.body = { status: 'success', data };
  },
});
