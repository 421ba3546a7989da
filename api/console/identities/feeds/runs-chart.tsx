import { useElementSize } from '@mantine/hooks';
import type { FeedRun } from '../../http/types.ts';
import { HeightAxis, TimeAxis } from '../../parts/chart/axes.tsx';
import { type Box, niceMaximum, xOf, yOf } from '../../parts/chart/chart-geometry.ts';
import { counted } from '../../text/quantities.ts';
import styles from './feeds.module.css';
import { RUN_STATES } from './use-feeds.ts';

const HEIGHT = 160;
const KINDS = [
  ['created', 'added'],
  ['updated', 'another owner'],
  ['removed', 'removed'],
] as const;
/** Fewer runs would be bars as wide as a hand. */
const LEAST_BARS = 24;

/** What the runs of a feed added, changed and removed, or would have, the oldest first. */
export function RunsChart({ runs }: { runs: readonly FeedRun[] }) {
  const { ref, width } = useElementSize();
  const box: Box = { width: Math.max(240, width), height: HEIGHT, left: 52, right: 12, top: 8, bottom: 22 };
  const maximum = niceMaximum(runs.map((run) => changesOf(run)));
  const bars = Math.max(LEAST_BARS, runs.length);
  const barWidth = Math.max(2, ((box.width - box.left - box.right) / bars) * 0.7);
  const last = runs.at(-1);
  return (
    <div ref={ref} className={styles.chart}>
      <svg
        width={box.width}
        height={HEIGHT}
        role="img"
        aria-label={`Changes of the last ${counted(runs.length, 'run')}${last ? `, the newest: ${describe(last)}` : ''}`}
      >
        <HeightAxis maximum={maximum} box={box} />
        <TimeAxis ticks={ticksOf(runs, bars, box)} box={box} anchor="start" />
        {runs.map((run, at) => {
          const x = xOf(at, bars, box) - barWidth / 2;
          return (
            <g key={run.id} className={styles.bar} data-held={run.state !== 'applied' || undefined}>
              <title>{describe(run)}</title>
              {run.facts === null ? (
                <line
                  className={styles.failed}
                  x1={x}
                  x2={x + barWidth}
                  y1={yOf(0, maximum, box) - 1}
                  y2={yOf(0, maximum, box) - 1}
                />
              ) : (
                stackOf(run, maximum, box).map(({ kind, y, height }) => (
                  <rect key={kind} className={styles[kind]} x={x} y={y} width={barWidth} height={height} />
                ))
              )}
            </g>
          );
        })}
      </svg>
      <div className={styles.legend} aria-hidden>
        {KINDS.map(([kind, label]) => (
          <span key={kind}>
            <i data-of={kind} />
            {label}
          </span>
        ))}
        <span>pale: not written</span>
      </div>
    </div>
  );
}

const changesOf = ({ facts }: FeedRun): number =>
  facts === null ? 0 : facts.created + facts.updated + facts.removed;

function stackOf({ facts }: FeedRun, maximum: number, box: Box) {
  let below = 0;
  return KINDS.map(([kind]) => {
    const count = facts?.[kind] ?? 0;
    const [bottom, top] = [yOf(below, maximum, box), yOf(below + count, maximum, box)];
    below += count;
    return { kind, y: top, height: bottom - top };
  });
}

const describe = (run: FeedRun): string => {
  const { facts, state, startedAt } = run;
  const what = facts
    ? KINDS.map(([kind, label]) => `${facts[kind].toLocaleString('en-US')} ${label}`).join(', ')
    : 'no file';
  return `${dayLabel(startedAt)}, ${RUN_STATES[state]}: ${what}`;
};

const dayLabel = (at: string): string =>
  new Date(at).toLocaleDateString([], { month: 'short', day: 'numeric' });

function ticksOf(runs: readonly FeedRun[], bars: number, box: Box) {
  const [first] = runs;
  return first ? [{ at: xOf(0, bars, box) - 8, label: `since ${dayLabel(first.startedAt)}` }] : [];
}
