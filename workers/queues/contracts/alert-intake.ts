import { z } from 'zod';
import type { PostedAlert, webhookOf } from '../../alertmanager/posted-alert.js';
import { defineContract, type QueueOf } from './contract.js';

const NORMAL = 'alert-intake';
const BULK = 'alert-intake-bulk';

/** An event as its integration sent it. */
export const intakeEvent = z.object({
  id: z.string(),
  webhookId: z.string(),
  /** Milliseconds since 1970. */
  receivedAt: z.number(),
  /** The body. A JSON string keeps every byte of valid UTF-8. */
  raw: z.string(),
  /** Set if the body is not valid UTF-8: `raw` is then base64. */
  base64: z.literal(true).optional(),
  /**
   * JSON of the request without its body: a text, because a worker that only stores it need not parse it. The API of an older
   * release sends none.
   */
  request: z.string().optional(),
  /** Why the event was rejected. It is stored for people to inspect, and makes no alert. */
  rejected: z.object({ code: z.string(), message: z.string() }).optional(),
  /**
   * Of an alert that its sender repeats while it lasts: a digest of what it says, without its times. One that says the same as the stored event
   * of its alert only prolongs that.
   */
  digest: z.string().optional(),
  /** What a ping of a heartbeat says; no mapping reads it. */
  ping: z
    .object({
      heartbeat: z.string(),
      /** `log`: only what the job writes, which says nothing about its state. */
      result: z.enum(['success', 'start', 'failure', 'log']),
      exitStatus: z.number().optional(),
      /** Of the alert if it failed. */
      severity: z.string(),
    })
    .optional(),
});
export type IntakeEvent = z.infer<typeof intakeEvent> & {
  /** Of the event of a list, whose body and digest are written when they are read: its size in the queue. */
  readonly size?: number;
  /** What its body would be parsed to. */
  readonly value?: ReturnType<typeof webhookOf>;
};
export type HeartbeatPing = NonNullable<IntakeEvent['ping']>;

/** Alerts that came in one request. Each is an event, whose body the worker writes: most only repeat what is stored. */
const intakeList = z.object({
  webhookId: z.string(),
  receivedAt: z.number(),
  request: z.string(),
  /** Of the events. */
  ids: z.array(z.string()),
  /** The API has checked them. */
  alerts: z.array(z.custom<PostedAlert>()),
});
export type IntakeList = z.infer<typeof intakeList>;

/**
 * A batch. A worker ignores keys that it does not know, so a key may be added without a new version if events without it are
 * complete: API and workers can then be upgraded in any order. A new version is for anything else: workers that do not know it leave
 * the batch to others. Version 2 has lists.
 */
const batch = z.object({
  version: z.union([z.literal(1), z.literal(2)]),
  events: z.array(intakeEvent),
  lists: z.array(intakeList).optional(),
  /** The spans of their requests, as W3C Trace Context writes them. Only while the API is traced. */
  traceparents: z.array(z.string()).optional(),
});

/** Returns the size of an event in the queue in UTF-16 code units, for the limits on the queue. */
export const queuedSize = (event: Pick<IntakeEvent, 'raw' | 'request' | 'size'>): number =>
  event.size ?? event.raw.length + (event.request?.length ?? 0);

/**
 * Batches of events from the API to a worker. These jobs have no row in `jobs`: the event's row records its outcome. An
 * acknowledged event is never discarded, so the number of attempts is practically unlimited.
 */
export const alertIntake = defineContract({
  name: 'alert-intake',
  queues: [NORMAL, BULK],
  payload: batch,
  params: z.never(),
  options: { attempts: 1_000_000, backoff: { type: 'fixed', delay: 2_000, jitter: 0.5 } },
  /** Enough batches for four writes of a thousand events: while some are being written, the next is prepared. */
  concurrency: 20,
});
export type IntakeQueue = QueueOf<typeof alertIntake>;

/** Returns the queue for an event. Integrations that flood use a separate queue, so that others do not wait for them. */
export const intakeQueue = (flooding: boolean): IntakeQueue => (flooding ? BULK : NORMAL);
