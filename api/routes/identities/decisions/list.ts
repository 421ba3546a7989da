import { z } from 'zod';
import {
  countPrecision,
  DECISIONS,
  type DecisionPlace,
  placeOfDecision,
  listDecisions as readDecisions,
  type StoredDecision,
} from '../../../../db/identities/worklist-decisions.js';
import { WORKLIST_RULE_CODES, WORKLIST_RULES } from '../../../../workers/text/worklist-rules.js';
import { decisionsToCsv } from '../../../../workers/worklist/decision-rows.js';
import { failures } from '../../../endpoint/error-responses.js';
import { success } from '../../../endpoint/responses.js';
import { defineRoute, NO_QUERY } from '../../../endpoint/route.js';
import { QUERY, summary } from '../../../http/error-details.js';
import { badRequest } from '../../../http/errors.js';
import { escapeFormulas } from '../../../lists/list-format.js';
import { PAGE_HEADERS, pageQuery, pageSchema, readPage } from '../../../lists/list-page.js';
import { withinDeadline } from '../../../lists/read-with-deadline.js';
import { ACCOUNT_SYSTEM_PARAMS } from '../coverage/read.js';
import { identity } from '../record.js';
import { decisionSchema, presentDecision } from './schema.js';

const WITHIN_MS = 5_000;
const NARROW = 'Filter by `identity`, or leave out `decision`.';

export const listDecisions = defineRoute({
  method: 'get',
  path: '/v2/integrations/{integrationId}/decisions',
  operationId: 'listWorklistDecisions',
  tag: 'Identity',
  summary: 'List the decisions about accounts of worklists',
  description:
    'Sorted by account. With `format=csv` a page is a CSV file that can be sent back to `POST`; `Link` leads to the next page.',
  scopes: ['developer_records:read'],
  query: z.strictObject({
    decision: z.enum(DECISIONS).optional().meta({ description: 'Only decisions of this kind' }),
    identity: identity.optional().meta({ description: 'Only decisions about this account' }),
    ...pageQuery,
    format: z.enum(['json', 'csv']).default('json').meta({ description: 'The format of the page' }),
    escapeFormulas,
  }),
  params: ACCOUNT_SYSTEM_PARAMS,
  responses: {
    200: {
      description: 'A page',
      headers: PAGE_HEADERS,
      body: {
        'application/json': z.object({ ...success, data: z.array(decisionSchema), page: pageSchema }),
        'text/csv': z.string(),
      },
    },
    ...failures(400, 404, 503),
  },
  handle: async ({ ctx, query, params: { integrationId }, services: { database } }) => {
    const { decision, identity, format } = query;
    if (format === 'json' && query.escapeFormulas !== undefined) throw CSV_ONLY();
    const { rows, pageSize, nextCursor } = await readPage<StoredDecision, DecisionPlace>(ctx, {
      page: query,
      filters: { decision, identity },
      position: z
        .tuple([z.string(), z.string()])
        .transform(([identity, rejectedEmail]) => ({ identity, rejectedEmail })),
      positionOf: (row) => {
        const place = placeOfDecision(row);
        return [place.identity, place.rejectedEmail];
      },
      read: (page) =>
        withinDeadline(
          NARROW,
          readDecisions(
            database,
            { integrationId, decision, identity },
            { limit: page.limit, after: page.after, withinMs: WITHIN_MS },
          ),
        ),
    });
    if (format === 'json') {
      ctx.body = { status: 'success', data: rows.map(presentDecision), page: { pageSize, nextCursor } };
      return;
    }
    ctx.type = 'text/csv; charset=utf-8';
    ctx.body = decisionsToCsv(rows, { integrationId, escapeFormulas: query.escapeFormulas ?? false });
  },
});

function CSV_ONLY() {
  const errors = [{ field: 'escapeFormulas', code: 'not_in_this_format', message: 'applies to CSV only' }];
  return badRequest('invalid_query', summary(QUERY, errors), errors);
}

/** Exported for the types of the console. */
export const precisionSchema = z
  .object({
    rule: z.enum(WORKLIST_RULE_CODES),
    words: z.string().meta({ description: 'The rule as the reasons of a worklist name it' }),
    right: z.number().int().meta({ description: 'Suggestions of the rule that were the owner' }),
    decided: z
      .number()
      .int()
      .meta({ description: 'Suggestions of the rule that somebody has decided about' }),
  })
  .meta({ id: 'WorklistRulePrecision' });

export const getPrecision = defineRoute({
  method: 'get',
  path: '/v2/integrations/{integrationId}/decisions/precision',
  operationId: 'getWorklistPrecision',
  tag: 'Identity',
  summary: 'Count how often the suggestions of each rule were right',
  description:
    'Counts the first candidates of worklists of this account system by the first rule of their reason: right if the candidate was decided to be the owner, wrong ' +
    'if somebody else was or the decision was `not_this_person`. `bot`, `left`, `later`, and decisions that were sent without `suggested`, do not count.',
  scopes: ['developer_records:read'],
  query: NO_QUERY,
  params: ACCOUNT_SYSTEM_PARAMS,
  responses: {
    200: {
      description: 'The rules with decisions',
      body: z.object({ ...success, data: z.array(precisionSchema) }),
    },
    ...failures(404, 503),
  },
  handle: async ({ ctx, params, services: { database } }) => {
    const counts = await withinDeadline(
      'This account system has too many decisions to count at once.',
      countPrecision(database, params.integrationId, WITHIN_MS),
    );
    const data = WORKLIST_RULE_CODES.flatMap((rule) => {
      const found = counts.find((one) => one.rule === rule);
      return found ? [{ rule, words: WORKLIST_RULES[rule], right: found.right, decided: found.decided }] : [];
    });
    ctx.body = { status: 'success', data };
  },
});
