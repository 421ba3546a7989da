import type { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import { type Destination, findDestination } from '../../../db/outbox/destinations.js';
import { type LaneState, type ListedMessage, laneStates } from '../../../db/outbox/told-messages.js';
import { recipientsIn } from '../../../workers/outbound/mail-address.js';
import { type CustomHeaders, parseHeaders } from '../../../workers/outbox/custom-headers.js';
import { messageId } from '../../../workers/outbox/message-id.js';
import { presetOf } from '../../../workers/outbox/presets/index.js';
import type { SecretBox } from '../../../workers/process/secret-box.js';
import { notFound } from '../../http/errors.js';
import { destinationSchema, type messageSchema } from './schema.js';

/** Decrypts what belongs to a destination. */
export type Opener = Pick<SecretBox, 'open'>;

export type Presented = z.input<typeof destinationSchema>;

/** Returns destinations in the form of a response. Their URLs, secrets and the values of their headers are never shown. */
export async function presentDestinations(
  database: Database,
  destinations: readonly Destination[],
  box: Opener,
): Promise<Presented[]> {
  const states = await laneStates(
    database,
    destinations.map(({ id }) => id),
  );
  return destinations.map((destination) => present(destination, box, states.get(destination.id)));
}

/** @throws RequestError 404 */
export async function presentDestination(database: Database, id: string, box: Opener): Promise<Presented> {
  const destination = await findDestination(database, id);
  const [presented] = destination ? await presentDestinations(database, [destination], box) : [];
  if (!presented) throw notFound('destination');
  return presented;
}

const NO_LANE: LaneState = {
  waiting: 0,
  failures: 0,
  failingSince: null,
  succeededAt: null,
  stopped: null,
  trouble: null,
};

/** Returns what a person sets of a destination, without its address, secrets and integrations. */
export const settingsOf = (destination: Destination) => ({
  name: destination.name,
  description: destination.description,
  preset: destination.preset,
  types: destinationSchema.shape.types.parse(destination.types),
  severityAtLeast: destinationSchema.shape.severityAtLeast.parse(destination.severityAtLeast),
  filter: destination.filter,
  body: destination.body,
  mode: destination.mode,
  settleSeconds: destination.settleSeconds,
  ratePerMinute: destination.ratePerMinute,
  repeatEveryMinutes: destination.repeatEveryMinutes,
  digestAbove: destination.digestAbove,
  managedBy: destination.managedBy,
});

function present(destination: Destination, box: Opener, lane = NO_LANE): Presented {
  const { stopped, failures } = lane;
  return {
    id: destination.id,
    ...settingsOf(destination),
    host: destination.host,
    recipients: presetOf(destination.preset)?.isMail ? recipientsOf(destination, box) : null,
    headerNames: Object.keys(headersOf(destination, box)),
    webhookIds: destination.webhookIds,
    state: destination.pausedAt ? 'paused' : stopped ? 'stopped' : failures > 0 ? 'failing' : 'active',
    stoppedBecause: destinationSchema.shape.stoppedBecause.parse(stopped),
    waiting: lane.waiting,
    failures,
    failingSince: lane.failingSince?.toISOString() ?? null,
    trouble: lane.trouble && { problem: lane.trouble.kind, since: lane.trouble.at.toISOString() },
    succeededAt: lane.succeededAt?.toISOString() ?? null,
    revision: destination.revision,
    savedBy: destination.savedBy,
    createdAt: destination.createdAt.toISOString(),
    updatedAt: destination.updatedAt.toISOString(),
  };
}

/** Returns the headers of a destination; none if they cannot be decrypted. */
export const headersOf = ({ id, headers }: Pick<Destination, 'id' | 'headers'>, box: Opener): CustomHeaders =>
  parseHeaders(headers && box.open(headers, id));

function recipientsOf({ id, url }: Destination, box: Opener): string[] | null {
  const opened = box.open(url, id);
  return opened === null ? null : recipientsIn(opened);
}

/** Returns a message in the form of a response. */
export const presentMessage = ({
  alertId,
  webhookId,
  ...message
}: ListedMessage): z.input<typeof messageSchema> => ({
  id: messageId(message.transitionId, message.destinationId, message.copy),
  sequence: message.transitionId,
  destinationId: message.destinationId,
  ...(message.kind === 'finished'
    ? { alertId: null, webhookId: null, jobId: alertId }
    : { alertId, webhookId, jobId: null }),
  alertTitle: message.alertTitle,
  jobType: message.jobType,
  change: message.kind,
  createdAt: message.createdAt.toISOString(),
  state: message.state,
  reason: message.reason,
  detail: message.detail,
  digestedInto: message.digestedInto,
  attempts: message.attempts,
  dueAt: message.state === 'waiting' ? message.dueAt.toISOString() : null,
  endedAt: message.endedAt?.toISOString() ?? null,
  replayedAt: message.replayedAt?.toISOString() ?? null,
});
