import type { Preview } from '../../http/types.ts';
import { counted } from '../../text/quantities.ts';

export type SeriesPreview = NonNullable<Preview['series']>;
export type PreviewedSeries = SeriesPreview['series'][number];
type Item = PreviewedSeries['items'][number];

/** Consecutive items of a series that do the same. */
export interface SeriesStep {
  kind: 'firing' | 'resolved' | 'nothing_to_resolve';
  count: number;
  /** The newest of the items. */
  newest: Item;
}

/** Returns the items of a series as steps, alert by alert. Items that resolve nothing belong to no alert and stand alone. */
export function stepsByAlert(items: readonly Item[]): SeriesStep[][] {
  const alerts: SeriesStep[][] = [];
  for (const newest of items) {
    const kind = newest.outcome === 'nothing_to_resolve' ? newest.outcome : newest.status;
    const alert = alerts.at(-1);
    const step = alert?.at(-1);
    if (step?.kind === kind && newest.outcome !== 'opened') {
      step.count += 1;
      step.newest = newest;
    } else if (alert && newest.outcome === 'resolved') {
      alert.push({ kind, count: 1, newest });
    } else {
      alerts.push([{ kind, count: 1, newest }]);
    }
  }
  return alerts;
}

/** Returns what the events become, such as `20 events become 7 alerts.` */
export function describeSeries(
  { items, alerts, outcomes, firing, keyed }: SeriesPreview,
  events: number,
): { summary: string; details: string[] } {
  const subject = items === events ? counted(items, 'event') : counted(items, 'item');
  return {
    summary: `${subject} ${items === 1 ? 'becomes' : 'become'} ${counted(alerts, 'alert')}.`,
    details: [
      [outcomes.updated, 'merged into an alert that is firing'],
      [outcomes.resolved, outcomes.resolved === 1 ? 'resolves an alert' : 'resolve an alert each'],
      [firing, 'still firing at the end'],
      [
        outcomes.nothing_to_resolve,
        outcomes.nothing_to_resolve === 1 ? 'resolves nothing' : 'resolve nothing',
      ],
      [items - keyed, 'without a key'],
    ].flatMap(([count, text]) => (count === 0 ? [] : [`${count} ${text}`])),
  };
}
