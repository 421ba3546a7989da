import type { AccountSystemDay } from '../../http/types.ts';
import { type Box, yOf } from '../../parts/chart/chart-geometry.ts';

/** Returns the share of accounts without an owner, from 0 to 1; null if no worklist says which accounts there are. */
export const shareOf = ({ listed, withoutOwner }: AccountSystemDay): number | null =>
  listed === null || withoutOwner === null || listed === 0 ? null : withoutOwner / listed;

/** Returns where each day is in a chart of percents. Days that are missing take their place on the x axis. */
export function pointsOf(days: readonly AccountSystemDay[], box: Box) {
  const times = days.map(({ day }) => Date.parse(day));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const inner = box.width - box.left - box.right;
  return days.map((one, at) => {
    const share = shareOf(one) ?? 0;
    const x = box.left + (last === first ? 0 : (((times[at] ?? 0) - first) / (last - first)) * inner);
    return { day: one.day, share, x, y: yOf(share * 100, 100, box) };
  });
}
