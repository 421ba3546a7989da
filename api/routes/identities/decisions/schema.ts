import { z } from 'zod';
import {
  DECISIONS,
  type DecisionChange,
  type StoredDecision,
} from '../../../../db/identities/worklist-decisions.js';
import { ruleOfReason, WORKLIST_RULE_CODES } from '../../../../workers/text/worklist-rules.js';
import { email, identity } from '../record.js';

const MAX_REASON = 500;

const suggested = z
  .strictObject({
    email,
    score: z.int().min(0).max(100),
    reason: z
      .string()
      .min(1)
      .max(MAX_REASON)
      .meta({ description: 'As the worklist has it. Its first words name the rule' }),
  })
  .meta({ id: 'WorklistSuggestion' });

const changeSchema = z
  .strictObject({
    identity,
    decision: z
      .enum(DECISIONS)
      .nullable()
      .meta({
        description:
          '`owner`: the account belongs to `email`. `not_this_person`: it does not belong to `email`. `bot`, `left`: it belongs to nobody. ' +
          '`later`: ask again in 30 days. `null` removes the decision; with `email`, the `not_this_person` of this email',
      }),
    email: email.optional(),
    suggested: suggested.optional().meta({
      description:
        'The first candidate of the worklist, for the [precision of rules](#operation/getWorklistPrecision)',
    }),
  })
  .superRefine(({ decision, email: given }, context) => {
    const reject = (code: string, message: string) =>
      context.addIssue({ code: 'custom', path: ['email'], message, params: { code } });
    const needsEmail = decision === 'owner' || decision === 'not_this_person';
    if (needsEmail && given === undefined) reject('email_missing', `is required for ${decision}`);
    if (!needsEmail && decision !== null && given !== undefined)
      reject('conflicting', `does not apply to ${decision}`);
  })
  .meta({ id: 'WorklistDecisionChange' });

const MAX_DECISIONS = 1_000;
export const changesSchema = z
  .array(changeSchema)
  .min(1, 'must contain at least one decision')
  .max(MAX_DECISIONS);

export const toChange = ({
  identity,
  decision,
  email = undefined,
  suggested,
}: z.infer<typeof changeSchema>): DecisionChange => ({
  identity,
  decision,
  email: email ?? null,
  suggested: suggested
    ? {
        email: suggested.email,
        score: suggested.score,
        reason: suggested.reason,
        rule: ruleOfReason(suggested.reason),
      }
    : null,
});

/** Exported for the types of the console. */
export const decisionSchema = z
  .object({
    identity: z.string(),
    decision: z.enum(DECISIONS),
    email: z.string().nullable().meta({ description: 'The owner, or the person who is not the owner' }),
    suggested: z
      .object({
        email: z.string(),
        score: z.number().int(),
        reason: z.string(),
        rule: z.enum(WORKLIST_RULE_CODES).nullable(),
      })
      .nullable()
      .meta({ description: 'The first candidate of the worklist when the decision was made' }),
    decidedBy: z.object({ id: z.uuid(), name: z.string() }).meta({ description: 'The API key' }),
    decidedAt: z.iso.datetime(),
  })
  .meta({ id: 'WorklistDecision' });

export const presentDecision = ({ decidedAt, ...decision }: StoredDecision): object =>
  Object.assign({}, decision, { decidedAt: decidedAt.toISOString() });

export const countsSchema = z.object({
  saved: z.number().int(),
  unchanged: z.number().int().meta({ description: 'Decisions that were stored already' }),
  removed: z.number().int(),
});
