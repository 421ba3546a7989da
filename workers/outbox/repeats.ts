import type { Destination } from '../../db/outbox/destinations.js';
import type { Preset } from './presets/preset.js';

/** Returns after how many seconds a destination is told again of an alert that still fires; null: never. */
export function repeatSeconds(
  { repeatEveryMinutes }: Pick<Destination, 'repeatEveryMinutes'>,
  preset: Preset | null,
): number | null {
  const every = repeatEveryMinutes === null ? null : repeatEveryMinutes * 60;
  const refresh = preset?.refreshSeconds ?? null;
  return every === null || refresh === null ? (every ?? refresh) : Math.min(every, refresh);
}
