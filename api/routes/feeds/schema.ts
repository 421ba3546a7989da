import { z } from 'zod';
import { type FeedRun, RUN_STATES } from '../../../db/feeds/feed-runs.js';
import type { Feed } from '../../../db/feeds/feeds.js';
import {
  feedSettings,
  recipeSchema,
  scheduleSchema,
  storedSettings,
} from '../../../workers/feeds/rules/feed-settings.js';
import { guardsSchema } from '../../../workers/feeds/rules/guards.js';
import { describeSource, SECRET_FIELDS } from '../../../workers/feeds/sources/settings.js';
import { authorSchema } from '../../endpoint/error-responses.js';
import { nameText } from '../../endpoint/parameters.js';

const name = nameText.meta({ description: 'The name. No other feed has it' });

export const newFeedSchema = feedSettings.extend({ name }).meta({ id: 'NewFeed' });

/** What changes. Each property replaces the stored one as a whole; a source is sent with its secrets. */
export const feedChangeSchema = z
  .strictObject({
    name,
    source: feedSettings.shape.source,
    recipe: feedSettings.shape.recipe.unwrap(),
    mirror: feedSettings.shape.mirror.unwrap(),
    onError: feedSettings.shape.onError.unwrap(),
    guards: feedSettings.shape.guards.unwrap(),
    schedule: feedSettings.shape.schedule.unwrap(),
    paused: feedSettings.shape.paused.unwrap(),
  })
  .partial()
  .meta({ id: 'FeedChange' });

export const feedSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    source: z
      .looseObject({
        kind: z.string().meta({ enum: Object.keys(SECRET_FIELDS) }),
        location: z.string().meta({ description: 'All of it in a line, to be shown' }),
        secrets: z.array(z.string()).meta({
          description:
            'Which secrets are set, such as `password` or `headers.authorization`. They are never shown',
        }),
      })
      .meta({ description: 'Where the file comes from, without its secrets' }),
    recipe: recipeSchema,
    mirror: z.array(z.int()).nullable(),
    onError: z.enum(['abort', 'continue']),
    guards: guardsSchema,
    schedule: scheduleSchema,
    paused: z.boolean(),
    nextRunAt: z.iso.datetime().nullable().meta({ description: 'Runs start within a minute of it' }),
    problem: z.enum(['failed', 'held']).nullable().meta({
      description:
        '`held`: a guard tripped, and the plan of the last run waits. `failed`: the last run failed. An alert of Muster says so too',
    }),
    problemAt: z.iso.datetime().nullable(),
    revision: z.int().meta({ description: 'Counts the changes, for `If-Match`' }),
    savedBy: authorSchema,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Feed' });

export function presentFeed(feed: Feed): z.input<typeof feedSchema> {
  const { source, secretNames = [], ...settings } = storedSettings(feed.settings);
  return {
    id: feed.id,
    name: feed.name,
    source: { ...source, location: describeSource(source), secrets: secretNames },
    ...settings,
    nextRunAt: feed.nextRunAt?.toISOString() ?? null,
    problem: feed.problem,
    problemAt: feed.problemAt?.toISOString() ?? null,
    revision: feed.revision,
    savedBy: feed.savedBy,
    createdAt: feed.createdAt.toISOString(),
    updatedAt: feed.updatedAt.toISOString(),
  };
}

export const trippedSchema = z.array(
  z.object({
    guard: z.string().meta({ description: 'Its name in `guards`; `approval` for `APPROVAL_REMOVALS`' }),
    message: z.string(),
  }),
);

const facts = z.object({
  rows: z.int(),
  rowsBefore: z.int().nullable().meta({ description: 'Of the last file that was applied' }),
  created: z.int(),
  updated: z.int(),
  removed: z.int(),
  unchanged: z.int(),
  rejected: z.int().meta({
    description: 'Invalid rows, which `onError: continue` leaves out. The dry run `planId` has them',
  }),
  ageHours: z
    .number()
    .nullable()
    .meta({ description: 'Since the file was changed, if the source says when' }),
  columns: z.array(z.string()),
  columnsBefore: z.array(z.string()).nullable(),
  endsLine: z.boolean().nullable(),
  endsLineBefore: z.boolean().nullable(),
  conflicts: z.int().optional().meta({
    description: 'Accounts that had changed between the plan and its application, and were left alone',
  }),
});

export const runSchema = z
  .object({
    id: z.uuid().meta({ description: 'Also the id of its job' }),
    feedId: z.uuid(),
    state: z.enum(RUN_STATES),
    startedBy: z.enum(['schedule', 'request']),
    dryRun: z.boolean(),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    file: z
      .object({
        name: z.string(),
        bytes: z.int(),
        digest: z.string().meta({ description: 'SHA-256, in hex' }),
        version: z.string().nullable(),
        modifiedAt: z.iso.datetime().nullable(),
        columns: z.array(z.string()),
        endsLine: z.boolean().nullable().meta({
          description: 'Whether its last line has a line break; null for a compressed file or a workbook',
        }),
        sample: z
          .array(
            z.object({
              line: z.int(),
              row: z.record(z.string(), z.string()),
              identity: z
                .object({ email: z.string(), integrationId: z.int(), identity: z.string() })
                .nullable(),
              errors: z.array(z.object({ field: z.string().nullable(), message: z.string() })),
            }),
          )
          .meta({
            description: 'The first rows that are kept: their cells, and what the recipe makes of them',
          }),
        revision: z
          .int()
          .optional()
          .meta({ description: 'The `revision` of the feed with which it was read' }),
      })
      .nullable()
      .meta({ description: 'Null if it was not fetched, or is the one of the last run' }),
    facts: facts.nullable().meta({ description: 'What the guards have judged' }),
    tripped: trippedSchema,
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    planId: z
      .uuid()
      .nullable()
      .meta({ description: 'The dry run: its changes are what the run writes, or would write' }),
    applyId: z.uuid().nullable().meta({
      description:
        'The job that has applied the plan, or is doing so: of the run, or of somebody who has approved it',
    }),
  })
  .meta({ id: 'FeedRun' });

/** @param applies the jobs that apply plans, by the plan */
export const presentRun = (
  { jobId, isDryRun, startedAt, endedAt, planId, applyId, ...run }: FeedRun,
  applies: ReadonlyMap<string, string>,
): z.input<typeof runSchema> => ({
  ...run,
  id: jobId,
  dryRun: isDryRun,
  startedAt: startedAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
  planId,
  applyId: applyId ?? (planId === null ? null : (applies.get(planId) ?? null)),
});
