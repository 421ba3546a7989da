import { useElementSize } from '@mantine/hooks';
import type { Health } from '../../http/types.ts';
import { HeightAxis, TimeAxis } from '../../parts/chart/axes.tsx';
import {
  areaPath,
  type Box,
  linePath,
  niceMaximum,
  timeTicks,
  xOf,
  yOf,
} from '../../parts/chart/chart-geometry.ts';
import { describeHour } from './minutes.ts';
import styles from './throughput.module.css';

const HEIGHT = 190;
const MIN_WIDTH = 240;

type Minutes = Pick<Health, 'minutes'>;

/** Line chart of events per minute. It is drawn at the element's real width, so its text does not scale with the page. */
export function Chart({ minutes }: Minutes) {
  const { ref, width } = useElementSize();
  const box = {
    width: Math.max(MIN_WIDTH, width),
    height: HEIGHT,
    left: 44,
    right: 8,
    top: 10,
    bottom: 24,
  };
  const maximum = niceMaximum(minutes.flatMap(({ accepted, stored, failed }) => [accepted, stored, failed]));
  return (
    <div ref={ref} className={styles.chart}>
      <svg width={box.width} height={HEIGHT} role="img" aria-label={describeHour(minutes)}>
        <Lines minutes={minutes} maximum={maximum} box={box} />
        <HeightAxis maximum={maximum} box={box} />
        <TimeAxis ticks={timeTicks(minutes.length, box)} box={box} />
        <FailedBars minutes={minutes} maximum={maximum} box={box} />
      </svg>
    </div>
  );
}

interface Drawn extends Minutes {
  maximum: number;
  box: Box;
}

function Lines({ minutes, maximum, box }: Drawn) {
  const accepted = minutes.map((minute) => minute.accepted);
  const stored = minutes.map((minute) => minute.stored);
  return (
    <>
      <path className={styles.area} d={areaPath(accepted, maximum, box)} />
      <path className={styles.accepted} d={linePath(accepted, maximum, box)} />
      <path className={styles.stored} d={linePath(stored, maximum, box)} />
    </>
  );
}

function FailedBars({ minutes, maximum, box }: Drawn) {
  const width = Math.max(1, (box.width - box.left - box.right) / minutes.length - 2);
  const baseline = yOf(0, maximum, box);
  return minutes.map(({ minute, failed }, number) => {
    const top = yOf(failed, maximum, box);
    const x = xOf(number, minutes.length, box) - width / 2;
    return (
      <rect key={minute} className={styles.failed} x={x} y={top} width={width} height={baseline - top} />
    );
  });
}
