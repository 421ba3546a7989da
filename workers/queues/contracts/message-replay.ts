import { z } from 'zod';
import { defineContract, FIVE_ATTEMPTS, jobPayload } from './contract.js';

/** The states of messages that may be sent again; delivered ones only as new ones. */
export const REPLAYED_STATES = ['dead', 'expired', 'canceled', 'delivered'] as const;

/** Messages of a destination that are sent again. */
export const messageReplayParams = z.object({
  version: z.literal(1),
  destinationId: z.uuid(),
  messages: z.union([
    z.object({ sequences: z.array(z.number()) }),
    z.object({
      states: z.array(z.enum(REPLAYED_STATES)),
      reasons: z.array(z.string()).optional(),
      webhookIds: z.array(z.uuid()).optional(),
      from: z.coerce.date().optional(),
      to: z.coerce.date().optional(),
    }),
  ]),
  /** With another id, so that a receiver that knows the message takes it for a new one. */
  asNew: z.boolean(),
  dryRun: z.boolean(),
});
export type MessageReplayParams = z.infer<typeof messageReplayParams>;

export const messageReplay = defineContract({
  name: 'message-replay',
  queues: ['message-replay'],
  payload: jobPayload,
  params: messageReplayParams,
  options: FIVE_ATTEMPTS,
  // Most of them wait for their destinations.
  concurrency: 16,
});
