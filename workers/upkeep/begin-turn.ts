import { readNow } from '../../db/client/now.js';
import { DAY_MS, listHorizons, moveHorizon, type Subject } from '../../db/upkeep/horizons.js';
import { allAgree, describeOffset } from '../clocks/compare-clocks.js';
import type { WorkerServices } from '../run/services.js';

/** Thrown by a task that would remove something on the word of a clock that may be wrong, or more than time explains. */
export class UpkeepRefused extends Error {
  override name = 'UpkeepRefused';
}

/** What a turn of upkeep knows about the time. */
export interface Turn {
  /** The time of the database when the turn began. Use it for what can be undone. */
  readonly now: Date;
  /**
   * Returns the time so many milliseconds ago, for what is then removed.
   * @throws UpkeepRefused while the clocks differ
   */
  ago(ms: number): Date;
  /**
   * Returns the time before which a subject has expired.
   * @throws UpkeepRefused while the clocks differ, or if it is further from that of the last turn than time explains
   */
  expiry(subject: Subject): Date;
}

/** Reads the time from the database, and decides what this turn may remove. */
export async function beginTurn(services: WorkerServices): Promise<Turn> {
  const { clock, database, log, settings } = services;
  const now = await readNow(database);
  await clock.measure();
  const { offsets } = clock;
  if (!allAgree(offsets)) {
    const found = Object.entries(offsets).map(([of, ms]) => [
      of,
      ms === null ? 'unknown' : describeOffset(ms),
    ]);
    log.warn(
      { clocks: Object.fromEntries(found) },
      'upkeep removes nothing: the clocks of this host, Redis and the database differ by more than a minute. Correct them with NTP',
    );
    return refusing(now, new UpkeepRefused('the clocks differ'));
  }
  const days: Record<Subject, number> = {
    clock: 0,
    events: settings.eventRetentionDays,
    alerts: settings.alertRetentionDays,
    'identity-history': settings.identityHistoryDays,
    'identity-changes': settings.identityChangesDays,
    'audit-log': settings.auditRetentionDays,
  };
  return turnAt(now, await moveHorizons(services, days, now), days);
}

const refusing = (now: Date, refused: UpkeepRefused): Turn => {
  const refuse = () => {
    throw refused;
  };
  return { now, ago: refuse, expiry: refuse };
};

/** Returns the subjects that this turn must leave alone. All, if the time itself is not explained. */
async function moveHorizons(
  { database, log }: WorkerServices,
  days: Record<Subject, number>,
  now: Date,
): Promise<Set<Subject>> {
  const refused = new Set<Subject>();
  const known = new Map((await listHorizons(database)).map((one) => [one.subject, one]));
  for (const subject of Object.keys(days) as Subject[]) {
    const wanted = new Date(+now - days[subject] * DAY_MS);
    const before = known.get(subject);
    if (await moveHorizon(database, subject, { known: before, wanted, now })) continue;
    refused.add(subject);
    log.warn(
      { subject, lastTurn: before?.horizon, thisTurn: wanted },
      WHY[subject === 'clock' ? 'clock' : 'expiry'],
    );
    if (subject === 'clock') break;
  }
  return refused;
}

const WHY = {
  clock:
    'upkeep removes nothing: its last turn was more than a week ago, or all clocks were set. If the time is right, run npm run upkeep -- --force',
  expiry:
    'upkeep removes nothing of this subject: more would expire than the time since the last turn explains. If the retention was lowered on purpose, run npm run upkeep -- --force',
};

function turnAt(now: Date, refused: ReadonlySet<Subject>, days: Record<Subject, number>): Turn {
  const before = (subject: Subject, ms: number) => {
    if (refused.has('clock') || refused.has(subject))
      throw new UpkeepRefused(`more than explained: ${subject}`);
    return new Date(+now - ms);
  };
  return {
    now,
    ago: (ms) => before('clock', ms),
    expiry: (subject) => before(subject, days[subject] * DAY_MS),
  };
}
