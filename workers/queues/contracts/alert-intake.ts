import { z } from 'zod';
import { defineContract, type QueueOf } from './contract.js';

const NORMAL = 'alert-intake';
const BULK = 'alert-intake-bulk';

/** What an integration sent, as it came. */
export const intakeEvent = z.object({
  id: z.string(),
  webhookId: z.string(),
  /** Milliseconds since 1970. */
  receivedAt: z.number(),
  /** The body; a JSON string keeps every byte of UTF-8. */
  raw: z.string(),
  /** For a body that is no UTF-8: then `raw` has its bytes as base64. */
  base64: z.literal(true).optional(),
  /** Why its sender was refused; such an event is kept for people to see, and makes no alert. */
  rejected: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type IntakeEvent = z.infer<typeof intakeEvent>;

const batch = z.object({ version: z.literal(1), events: z.array(intakeEvent).min(1) });

/**
 * Events on their way from the API to the worker, many in one job. Such a job has no row in `jobs`: what becomes of an
 * event says its own row. What was acknowledged is never given up, so the tries have no end that anybody would see.
 */
export const alertIntake = defineContract({
  name: 'alert-intake',
  queues: [NORMAL, BULK],
  payload: batch,
  params: z.never(),
  options: { attempts: 1_000_000, backoff: { type: 'fixed', delay: 2_000, jitter: 0.5 } },
  /** Four writes of a thousand events each: while some are at the database, the next is made ready. */
  concurrency: 20,
});
export type IntakeQueue = QueueOf<typeof alertIntake>;

/** An integration that floods has a queue of its own, so that others do not wait behind it. */
export const intakeQueue = (flooding: boolean): IntakeQueue => (flooding ? BULK : NORMAL);
