import type { Health } from '../http/types.ts';
import { counted } from '../text/quantities.ts';
import type { Outage } from './readiness.ts';

const NTP = 'Correct it with NTP.';
const REMOVES_NOTHING = 'Upkeep removes nothing until it is right.';

const WRONG: Readonly<Record<Health['clocks']['wrong'][number], Outage>> = {
  host: {
    title: 'The clock of the API host is wrong',
    text: `It is more than a minute wrong. Events get the time of the other clocks. ${NTP}`,
  },
  redis: {
    title: 'The clock of Redis is wrong',
    text: `It is more than a minute wrong. ${REMOVES_NOTHING} ${NTP}`,
  },
  database: {
    title: 'The clock of the database is wrong',
    text: `It is more than a minute wrong. ${REMOVES_NOTHING} ${NTP}`,
  },
};

const UNKNOWN: Outage = {
  title: 'The time is unknown',
  text: 'No two of the clocks of the API host, Redis and the database agree. Events are rejected, and senders are asked to retry later. Correct the clocks with NTP.',
};

/** Returns which clocks are wrong, and what does not work because of it. */
export function describeClocks({ clocks, upkeep, workers }: Health): Outage[] {
  const { wrong } = clocks;
  const held = workers.filter((worker) => worker.held !== null);
  return [
    ...(wrong.includes('host') && wrong.length > 1 ? [UNKNOWN] : wrong.map((clock) => WRONG[clock])),
    ...(held.length > 0 ? [describeHeld(held)] : []),
    ...(upkeep && upkeep.refused.length > 0 ? [describeRefused(upkeep.refused)] : []),
  ];
}

const describeHeld = (held: Health['workers']): Outage => ({
  title: `${counted(held.length, 'worker')} ${held.length === 1 ? 'takes' : 'take'} no jobs`,
  text: `${held.map(({ id, held: reason }) => `${id}: ${reason}.`).join(' ')} Correct the clock with NTP. The worker then takes jobs by itself.`,
});

const describeRefused = (refused: NonNullable<Health['upkeep']>['refused']): Outage => ({
  title: 'Upkeep refuses to remove what has expired',
  text: `The time since its last turn does not explain so much: ${refused.map(({ subject }) => subject).join(', ')}. If a retention was lowered on purpose, or no worker ran for more than a week, run npm run upkeep -- --force. Otherwise correct the setting or the clocks.`,
});
