import { useElementSize } from '@mantine/hooks';
import type { Health } from '../http/types.ts';
import { type Box, heightTicks, linePath, niceMaximum, timeTicks, xOf, yOf } from './chart-geometry.ts';
import styles from './health.module.css';
import { hourInWords } from './words.ts';

const HEIGHT = 190;
const LEAST_WIDTH = 240;

/** Events a minute. It is drawn in the pixels that there are, so that its words stay as large as the others. */
export function Chart({ minutes }: Pick<Health, 'minutes'>) {
  const { ref, width } = useElementSize();
  const box = {
    width: Math.max(LEAST_WIDTH, width),
    height: HEIGHT,
    left: 44,
    right: 8,
    top: 10,
    bottom: 24,
  };
  return (
    <div ref={ref} className={styles.chart}>
      <svg width={box.width} height={HEIGHT} role="img" aria-label={hourInWords(minutes)}>
        <Drawing minutes={minutes} box={box} />
      </svg>
    </div>
  );
}

function Drawing({ minutes, box }: Pick<Health, 'minutes'> & { box: Box }) {
  const maximum = niceMaximum(minutes.flatMap(({ accepted, stored, failed }) => [accepted, stored, failed]));
  const line = (name: 'accepted' | 'stored') =>
    linePath(
      minutes.map((minute) => minute[name]),
      maximum,
      box,
    );
  const barWidth = Math.max(1, (box.width - box.left - box.right) / minutes.length - 2);
  return (
    <>
      {heightTicks(maximum, box).map(({ at, label }) => (
        <g key={label}>
          <line className={styles.grid} x1={box.left} x2={box.width - box.right} y1={at} y2={at} />
          <text x={box.left - 6} y={at + 4} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
      {timeTicks(minutes.length, box).map(({ at, label }) => (
        <text key={label} x={at} y={box.height - 6} textAnchor={label === 'now' ? 'end' : 'start'}>
          {label}
        </text>
      ))}
      {minutes.map(({ minute, failed }, number) => {
        const top = yOf(failed, maximum, box);
        const x = xOf(number, minutes.length, box) - barWidth / 2;
        return failed > 0 ? (
          <rect
            key={minute}
            className={styles.failed}
            x={x}
            y={top}
            width={barWidth}
            height={yOf(0, maximum, box) - top}
          />
        ) : null;
      })}
      <path className={styles.accepted} d={line('accepted')} />
      <path className={styles.stored} d={line('stored')} />
    </>
  );
}
