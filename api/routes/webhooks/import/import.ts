import type { Knex } from 'knex';
import { z } from 'zod';
import { insertImportedToken } from '../../../../db/webhooks/imported-tokens.js';
import { inChange, lockChanges } from '../../../../db/webhooks/webhook-change.js';
import { insertWebhook } from '../../../../db/webhooks/webhooks.js';
import { changed } from '../../../audit/changed.js';
import { readJson } from '../../../body/read-body.js';
import { failures } from '../../../endpoint/error-responses.js';
import { flag } from '../../../endpoint/parameters.js';
import { success } from '../../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../../endpoint/route.js';
import { badRequest, conflict } from '../../../http/errors.js';
import { changeOnce } from '../../../idempotency/change-once.js';
import { newImportedToken } from '../imported-tokens.js';
import { type Creation, makeRoom, toNewWebhook } from '../new-webhook.js';
import { newWebhookSchema } from '../schema.js';
import { PRODUCTS, readExport } from './exported.js';
import { ACTIONS, type PlannedRow, planImport, sourceOf } from './plan.js';

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_ROWS = 500;

const rowSchema = z.object({
  row: z.number().int().meta({ description: 'Its place in the document, from 1' }),
  product: z.enum(PRODUCTS),
  name: z.string(),
  type: z.string(),
  template: z.string().nullable().meta({ description: 'By the type. Null: none fits' }),
  token: z.boolean().meta({
    description:
      'Whether the document has the token that is sent with. What sends then only needs another address',
  }),
  action: z.enum(ACTIONS).meta({
    description:
      '`create` an integration. `add_token` to the one of an earlier import. `none`: it is there. `skip`: it is disabled, or receives nothing. `reject`: see `errors`',
  }),
  reason: z.string().nullable().meta({ description: 'Of `none` and `skip`' }),
  webhookId: z
    .uuid()
    .nullable()
    .meta({ description: 'The integration. With `dryRun`, that of `create` does not exist yet' }),
  errors: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })),
});

export const importSchema = z
  .object({ dryRun: z.boolean(), rows: z.array(rowSchema) })
  .meta({ id: 'WebhookImport' });

export const importWebhooks = defineRoute({
  method: 'post',
  path: '/v2/webhook-imports',
  operationId: 'importWebhooks',
  tag: 'Webhook',
  summary: 'Create integrations from those of Opsgenie or Grafana OnCall',
  description:
    'Takes what the other product returns: of Opsgenie `GET /v2/integrations`, `GET /v2/integrations/{id}` and the files of its configuration backup; of OnCall `GET /api/v1/integrations/`; of both ' +
    'a Terraform state or `terraform show -json`; and lists of these. A template is chosen by type. A token that the document has is imported. With `dryRun` nothing is stored, and the response says what would be. ' +
    `Rows with errors are left out, the others are created together. A repeated import creates nothing twice. At most ${MAX_ROWS} integrations at a time.`,
  scopes: ['webhooks:write'],
  idempotent: true,
  query: z.strictObject({ dryRun: flag.default(false).meta({ description: 'Only say what would be done' }) }),
  params: NO_PARAMS,
  requestBody: { 'application/json': z.unknown() },
  responses: {
    200: {
      description: 'What was done, or would be, by row',
      body: z.object({ ...success, data: importSchema }),
    },
    ...failures(400, 409, 413, 415),
  },
  handle: async (input) => {
    const { ctx, principal, once, services, query } = input;
    const exported = readExport(await readJson(ctx, z.unknown(), once, { limit: MAX_BYTES }));
    if (exported.length === 0)
      throw badRequest('no_integrations', 'The document has no integrations of Opsgenie or Grafana OnCall.');
    if (exported.length > MAX_ROWS)
      throw badRequest(
        'too_many_rows',
        `The document has ${exported.length} integrations. Import at most ${MAX_ROWS} at a time.`,
      );
    await changeOnce(input, async (transaction) => {
      await lockChanges(transaction);
      const rows = await planImport(transaction, exported);
      if (!query.dryRun) {
        const creates = rows.filter(({ action }) => action === 'create');
        await makeRoom(transaction, services, creates.length);
        await inChange(transaction, async (change) => {
          for (const row of rows)
            await carryOut(change, row, { services: { ...services, database: change }, principal });
        });
      }
      const data = { dryRun: query.dryRun, rows: rows.map(present) };
      return {
        status: 200,
        body: { status: 'success', data },
        audit: query.dryRun ? [] : rows.flatMap(recorded),
      };
    });
    await services.intake.directory.refresh();
  },
});

async function carryOut(change: Knex.Transaction, row: PlannedRow, by: Creation): Promise<void> {
  const { action, webhookId, name, template, exported } = row;
  if (webhookId === null || (action !== 'create' && action !== 'add_token')) return;
  if (action === 'create') {
    const settings = newWebhookSchema.parse({ name, template, description: descriptionOf(row) });
    await insertWebhook(change, await toNewWebhook(webhookId, settings, by));
  }
  if (!exported.token) return;
  const token = newImportedToken(webhookId, exported.token.text, sourceOf(exported));
  if (!(await insertImportedToken(change, token)))
    throw conflict(
      'token_in_use',
      `An integration got the token of row ${exported.row} meanwhile. Nothing was changed.`,
    );
}

/** Returns the entry of a row in the audit log, if it changes something. */
function recorded({ action, webhookId, name, template, exported }: PlannedRow) {
  if (action !== 'create' && action !== 'add_token') return [];
  const importedToken = exported.token ? { source: sourceOf(exported) } : null;
  const members = action === 'create' ? { name, template, importedToken } : { importedToken };
  return changed(['integration', webhookId, name], action === 'create' ? null : {}, members);
}

const descriptionOf = ({ exported }: PlannedRow): string =>
  `Imported from ${sourceOf({ ...exported, name: `${exported.type} ${exported.id}` })}`;

const present = ({ exported, name, template, action, reason, webhookId, errors }: PlannedRow) => ({
  row: exported.row,
  product: exported.product,
  name,
  type: exported.type,
  template,
  token: exported.token !== null,
  action,
  reason,
  webhookId: action === 'reject' || action === 'skip' ? null : webhookId,
  errors,
});
