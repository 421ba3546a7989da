import type { Destination } from '../../db/outbox/destinations.js';
import type { AlertThen } from './alert-then.js';
import type { Preset } from './presets/preset.js';

/** Returns how many messages are sent one by one at most. If there are more, they are sent as one. */
export const digestAbove = (
  destination: Pick<Destination, 'digestAbove'>,
  preset: Pick<Preset, 'renderDigest'> | null,
): number => (preset?.renderDigest && destination.digestAbove) || Number.POSITIVE_INFINITY;

/** Puts messages into the order in which a digest shows them: what fires before what is over, the most severe first. */
export const byImportance = (
  one: { alert: Pick<AlertThen, 'status' | 'severityRank'> },
  other: { alert: Pick<AlertThen, 'status' | 'severityRank'> },
): number =>
  Number(one.alert.status === 'resolved') - Number(other.alert.status === 'resolved') ||
  other.alert.severityRank - one.alert.severityRank;
