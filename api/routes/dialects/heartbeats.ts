import { createHash } from 'node:crypto';
import { isDuplicateKey } from '../../../db/client/errors.js';
import {
  countHeartbeats,
  findHeartbeats,
  type Heartbeat,
  saveHeartbeat,
} from '../../../db/heartbeats/heartbeats.js';
import { inChange } from '../../../db/webhooks/webhook-change.js';
import type { HeartbeatPing } from '../../../workers/queues/contracts/alert-intake.js';
import { conflict } from '../../http/errors.js';
import { tellQuota } from '../../intake/rate-limits.js';
import { MAX_HEARTBEATS } from '../heartbeats/save.js';
import { heartbeatName } from '../heartbeats/schema.js';
import type { Received } from './dialect.js';

type Settings = Omit<Heartbeat, 'webhookId' | 'name' | 'createdAt' | 'updatedAt'>;

const DEFAULTS: Settings = {
  description: '',
  schedule: null,
  graceSeconds: 300,
  maxRunSeconds: null,
  severity: 'error',
};

/**
 * Accepts a ping of a heartbeat. Resolves to the id of its event. Other products accept pings of heartbeats that do not exist, so the first ping creates
 * one, without a schedule.
 * @param settings of a heartbeat that the ping creates
 * @throws RequestError 409 if the integration has too many heartbeats
 */
export async function pingHeartbeat(
  received: Received,
  sentName: string,
  report: Pick<HeartbeatPing, 'result' | 'exitStatus'>,
  settings: Partial<Settings> = {},
): Promise<string> {
  const { services, target, req, res, log } = received;
  const { intake } = services;
  const name = nameOf(sentName);
  intake.rejectWhenFull(target);
  const quota = await intake.admitPing(target);
  const webhookId = target.webhook.id;
  if (!(await hasHeartbeat(received, sentName))) {
    const description = name === sentName ? '' : shortText(sentName);
    await createHeartbeat({ services }, { webhookId, name }, { ...DEFAULTS, description, ...settings });
  }
  const severity = intake.directory.severityOf(webhookId, name) ?? DEFAULTS.severity;
  const eventId = await intake.acceptPing(target, req, { heartbeat: name, severity, ...report }, log);
  tellQuota(res, quota);
  return eventId;
}

/** Resolves to whether a heartbeat exists, also if it was created a moment ago on another host. */
export async function hasHeartbeat(
  { services: { intake }, target }: Pick<Received, 'services' | 'target'>,
  sentName: string,
): Promise<boolean> {
  const name = nameOf(sentName);
  const isKnown = () => intake.directory.severityOf(target.webhook.id, name) !== undefined;
  if (!isKnown()) await intake.directory.refresh();
  return isKnown();
}

async function createHeartbeat(
  { services: { database, intake } }: Pick<Received, 'services'>,
  key: { webhookId: string; name: string },
  settings: Settings,
): Promise<void> {
  await inChange(database, async (change) => {
    if ((await findHeartbeats(change, [key])).length > 0) return;
    if ((await countHeartbeats(change, key.webhookId)) >= MAX_HEARTBEATS)
      throw conflict('too_many_heartbeats', `An integration has at most ${MAX_HEARTBEATS} heartbeats.`);
    await saveHeartbeat(change, { ...key, ...settings }, null);
  }).catch((error: unknown) => {
    // Another ping has created it.
    if (!isDuplicateKey(error)) throw error;
  });
  await intake.directory.refresh();
}

/** How much of a name is kept that Muster does not allow. */
const MAX_DESCRIPTION = 200;
const [KEPT_CHARACTERS, HASH_CHARACTERS] = [50, 8];

/** Returns a text as people may write it. */
const shortText = (sent: string): string =>
  sent
    .slice(0, MAX_DESCRIPTION)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim();

/** Returns the name of a heartbeat for a name of another product, which may have any character: with a part of its hash, if letters are replaced. */
function nameOf(sent: string): string {
  if (heartbeatName.safeParse(sent).success) return sent;
  const hash = createHash('sha256').update(sent).digest('hex').slice(0, HASH_CHARACTERS);
  const letters = sent.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, KEPT_CHARACTERS);
  return `${/^[A-Za-z0-9]/.test(letters) ? '' : 'h'}${letters}-${hash}`;
}
