import type { Preview } from '../../http/types.ts';
import { counted } from '../../text/quantities.ts';

export type SeriesPreview = NonNullable<Preview['series']>;
export type PreviewedSeries = SeriesPreview['series'][number];
type Item = PreviewedSeries['items'][number];

/** Consecutive items of a series that do the same. */
export interface SeriesStep {
  kind: 'firing' | 'update' | 'resolved' | 'nothing_to_resolve' | 'nothing_to_update' | 'outdated';
  count: number;
  /** The newest of the items. */
  newest: Item;
}

/** Returns the items of a series as steps, alert by alert. Items that change no alert stand alone. */
export function stepsByAlert(items: readonly Item[]): SeriesStep[][] {
  const lines: SeriesStep[][] = [];
  let alert: SeriesStep[] = [];
  for (const newest of items) {
    const step: SeriesStep = { kind: kindOf(newest), count: 1, newest };
    const changesAlert = newest.outcome === 'updated' || newest.outcome === 'resolved';
    const line = changesAlert ? alert : lines.at(-1);
    const last = line?.at(-1);
    if (last?.kind === step.kind && newest.outcome !== 'opened') {
      last.count += 1;
      last.newest = newest;
    } else if (changesAlert && line && last) {
      line.push(step);
    } else {
      const started = [step];
      lines.push(started);
      if (step.kind === 'firing' || changesAlert) alert = started;
    }
  }
  return lines;
}

function kindOf({ outcome, status }: Item): SeriesStep['kind'] {
  if (outcome !== 'opened' && outcome !== 'updated') return outcome;
  return status === 'update' ? status : 'firing';
}

/** Returns what the events become, such as `20 events become 7 alerts.` */
export function describeSeries(
  { items, alerts, outcomes, firing, keyed, repeated }: SeriesPreview,
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
      [outcomes.nothing_to_update, 'without an alert to update'],
      [outcomes.outdated, 'about an occurrence that is over'],
      [repeated, 'counted for an identical event'],
      [items - keyed - repeated, 'without a key'],
    ].flatMap(([count, text]) => (count === 0 ? [] : [`${count} ${text}`])),
  };
}
