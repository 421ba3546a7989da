import { expect, test } from '@jest/globals';
import {
  describeSeries,
  type PreviewedSeries,
  type SeriesPreview,
  stepsByAlert,
} from '../../../../api/console/mapping/model/series-steps.ts';

type Outcome = PreviewedSeries['items'][number]['outcome'];

/** Returns the steps of items with these outcomes, as text: `firing ×2 → resolved`. */
const stepsOf = (...outcomes: Outcome[]) =>
  stepsByAlert(
    outcomes.map((outcome, item) => ({
      eventId: 'e',
      item,
      receivedAt: null,
      status: outcome === 'opened' || outcome === 'updated' ? ('firing' as const) : ('resolved' as const),
      outcome,
    })),
  ).map((steps) => steps.map(({ kind, count, newest }) => `${kind} ×${count} to ${newest.item}`).join(' → '));

test.each<[Outcome[], string[]]>([
  [['opened'], ['firing ×1 to 0']],
  [
    ['opened', 'updated', 'updated', 'resolved', 'opened'],
    ['firing ×3 to 2 → resolved ×1 to 3', 'firing ×1 to 4'],
  ],
  [
    ['nothing_to_resolve', 'nothing_to_resolve', 'opened', 'resolved', 'nothing_to_resolve'],
    ['nothing_to_resolve ×2 to 1', 'firing ×1 to 2 → resolved ×1 to 3', 'nothing_to_resolve ×1 to 4'],
  ],
  // The first items of a long series are not listed.
  [['updated', 'updated', 'resolved'], ['firing ×2 to 1 → resolved ×1 to 2']],
  [
    ['resolved', 'opened'],
    ['resolved ×1 to 0', 'firing ×1 to 1'],
  ],
])('%j', (outcomes, steps) => {
  expect(stepsOf(...outcomes)).toEqual(steps);
});

test('what events become is said in numbers, without zeros', () => {
  const preview: SeriesPreview = {
    items: 7,
    keyed: 5,
    repeated: 1,
    outcomes: {
      opened: 3,
      updated: 1,
      resolved: 1,
      nothing_to_resolve: 1,
      nothing_to_update: 0,
      outdated: 0,
    },
    alerts: 4,
    firing: 2,
    seriesCount: 3,
    series: [],
  };
  expect(describeSeries(preview, 7)).toEqual({
    summary: '7 events become 4 alerts.',
    details: [
      '1 merged into an alert that is firing',
      '1 resolves an alert',
      '2 still firing at the end',
      '1 resolves nothing',
      '1 counted for an identical event',
      '1 without a key',
    ],
  });
  expect(describeSeries(preview, 3).summary).toBe('7 items become 4 alerts.');
  const outcomes = {
    opened: 1,
    updated: 0,
    resolved: 0,
    nothing_to_resolve: 0,
    nothing_to_update: 0,
    outdated: 0,
  };
  const one = { ...preview, items: 1, keyed: 1, repeated: 0, outcomes, alerts: 1, firing: 0 };
  expect(describeSeries(one, 1)).toEqual({ summary: '1 event becomes 1 alert.', details: [] });
});
