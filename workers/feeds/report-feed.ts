import type { TrippedGuard } from '../../db/feeds/feed-runs.js';
import { OWN_INTEGRATION } from '../../db/outbox/own-integration.js';
import type { Report } from '../events/store/report.js';

const SEVERITY = 'error';

const keyOf = (feedId: string): string => `feed:${feedId}`;

interface Named {
  id: string;
  name: string;
}

/** Returns the report that a run of a feed failed. The message says what to do, and has no secret. */
export const failedReport = (
  { id, name }: Named,
  { at, jobId, error }: { at: Date; jobId: string; error: { code: string; message: string } },
): Report => ({
  webhookId: OWN_INTEGRATION.id,
  at: at.getTime(),
  body: { muster: 'feed', feedId: id, problem: 'failed', jobId, at, code: error.code },
  item: {
    key: keyOf(id),
    status: 'firing',
    severity: SEVERITY,
    title: `Feed ${name} failed`,
    description: `${error.message} Nothing was written. The next run tries again.`,
    custom: { feed: id, problem: 'failed', job: jobId },
  },
});

/** Returns the report that a run of a feed waits for somebody. */
export const heldReport = (
  { id, name }: Named,
  {
    at,
    jobId,
    planId,
    tripped,
  }: { at: Date; jobId: string; planId: string | null; tripped: readonly TrippedGuard[] },
): Report => ({
  webhookId: OWN_INTEGRATION.id,
  at: at.getTime(),
  body: {
    muster: 'feed',
    feedId: id,
    problem: 'held',
    jobId,
    planId,
    at,
    guards: tripped.map(({ guard }) => guard),
  },
  item: {
    key: keyOf(id),
    status: 'firing',
    severity: SEVERITY,
    title: `Feed ${name} is held by its guards`,
    description: [
      `Nothing was written: ${tripped.map(({ message }) => message).join('; ')}.`,
      planId === null
        ? 'Repair the file at its source.'
        : `If the changes are right, apply the plan of the job ${planId}.`,
    ].join(' '),
    custom: { feed: id, problem: 'held', job: jobId, ...(planId ? { plan: planId } : {}) },
  },
});

/** Returns the report that what was wrong with a feed is over. */
export const feedOver = (feedId: string, at: Date, reason: string): Report => ({
  webhookId: OWN_INTEGRATION.id,
  at: at.getTime(),
  body: { muster: 'feed', feedId, problem: null, at, reason },
  item: {
    key: keyOf(feedId),
    status: 'resolved',
    severity: SEVERITY,
    title: null,
    description: reason,
    custom: {},
  },
});
