import styles from './chart.module.css';
import { type Box, heightTicks, type Tick } from './chart-geometry.ts';

/** Draws the labels of the y axis and the horizontal grid lines. */
export const HeightAxis = ({ maximum, box }: { maximum: number; box: Box }) =>
  heightTicks(maximum, box).map(({ at, label }) => (
    <g key={label}>
      <line className={styles.grid} x1={box.left} x2={box.width - box.right} y1={at} y2={at} />
      <text className={styles.label} x={box.left - 6} y={at + 4} textAnchor="end">
        {label}
      </text>
    </g>
  ));

interface TimeAxisProps {
  ticks: readonly Tick[];
  box: Box;
  /** Where each label is in relation to its tick. By default the first and the last one stay inside the chart. */
  anchor?: 'start';
}

/** Draws the labels of the x axis. */
export function TimeAxis({ ticks, box, anchor }: TimeAxisProps) {
  const anchorOf = (place: number) => (place === 0 ? 'start' : place === ticks.length - 1 ? 'end' : 'middle');
  return ticks.map(({ at, label }, place) => (
    <text key={at} className={styles.label} x={at} y={box.height - 6} textAnchor={anchor ?? anchorOf(place)}>
      {label}
    </text>
  ));
}
