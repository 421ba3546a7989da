import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import type { AlertHistogram } from '../../http/types.ts';
import { HeightAxis, TimeAxis } from '../../parts/chart/axes.tsx';
import { type Box, niceMaximum, xOf } from '../../parts/chart/chart-geometry.ts';
import { useTimeZone } from '../../settings/time-zone.ts';
import styles from './alert-chart.module.css';
import { barParts, bucketAt, bucketTicks, describeHistogram } from './chart-bars.ts';

const HEIGHT = 120;
const MIN_WIDTH = 240;
/** Room for a label of the time axis, in pixels. */
const LABEL_PX = 130;
const LEFT = 0;

interface BarsProps {
  histogram: AlertHistogram;
  /** Called with the first and the last bucket that were clicked or dragged over. */
  select: (one: number, other: number) => void;
}

/** Bars of alerts by time. Clicking one, or dragging over several, selects their time. */
export function Bars({ histogram, select }: BarsProps) {
  const { ref, width } = useElementSize();
  const [drag, setDrag] = useState<{ start: number; end: number } | null>(null);
  const zone = useTimeZone();
  const { buckets } = histogram;
  const count = buckets.length;
  const box: Box = {
    width: Math.max(MIN_WIDTH, width),
    height: HEIGHT,
    left: 44,
    right: 8,
    top: 8,
    bottom: 22,
  };
  const maximum = niceMaximum(buckets.map(({ alerts }) => alerts));
  const place = (event: PointerEvent<SVGElement>) =>
    bucketAt(event.clientX - event.currentTarget.getBoundingClientRect().left, count, box);
  const step = (box.width - box.left - box.right) / count;
  const left = (bucket: number) => box.left + bucket * step;
  const ticks = bucketTicks(histogram, Math.floor((box.width - box.left) / LABEL_PX), box, zone);
  return (
    <div ref={ref} className={styles.chart}>
      <svg
        width={box.width}
        height={HEIGHT}
        role="img"
        aria-label={describeHistogram(histogram, zone)}
        onPointerDown={(event) =>
          event.button === LEFT && setDrag({ start: place(event), end: place(event) })
        }
        onPointerMove={(event) => drag && setDrag({ ...drag, end: place(event) })}
        onPointerLeave={() => setDrag(null)}
        onPointerUp={() => {
          setDrag(null);
          if (drag) select(drag.start, drag.end);
        }}
      >
        <HeightAxis maximum={maximum} box={box} />
        <TimeAxis ticks={ticks} box={box} anchor="start" />
        {drag && (
          <rect
            className={styles.selection}
            x={left(Math.min(drag.start, drag.end))}
            y={box.top}
            width={(Math.abs(drag.end - drag.start) + 1) * step}
            height={HEIGHT - box.top - box.bottom}
          />
        )}
        {barParts(histogram, maximum, box).map((parts, bucket) =>
          parts.map(({ severity, tone, y, height }) => (
            <rect
              key={`${buckets[bucket]?.from} ${severity}`}
              data-tone={tone}
              x={xOf(bucket, count, box) - Math.max(1, step - 2) / 2}
              y={y}
              width={Math.max(1, step - 2)}
              height={height}
            />
          )),
        )}
      </svg>
    </div>
  );
}
