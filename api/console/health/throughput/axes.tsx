import { type Box, heightTicks, timeTicks } from './chart-geometry.ts';
import styles from './throughput.module.css';

interface AxesProps {
  minutes: number;
  maximum: number;
  box: Box;
}

/** Draws the labels of both axes and the horizontal grid lines. */
export function Axes({ minutes, maximum, box }: AxesProps) {
  const times = timeTicks(minutes, box);
  const anchorOf = (place: number) => (place === 0 ? 'start' : place === times.length - 1 ? 'end' : 'middle');
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
      {times.map(({ at, label }, place) => (
        <text key={label} x={at} y={box.height - 6} textAnchor={anchorOf(place)}>
          {label}
        </text>
      ))}
    </>
  );
}
