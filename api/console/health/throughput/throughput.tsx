import { Group, Paper, Text, Title } from '@mantine/core';
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
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { useTimeZone } from '../../settings/time-zone.ts';
import { wholeNumber } from '../../text/quantities.ts';
import { shortTime } from '../../text/times.ts';
import { describeHour, sumOf } from './minutes.ts';
import styles from './throughput.module.css';

const SERIES = ['accepted', 'stored', 'failed'] as const;

/** Events in the last hour, per minute, and the number of events that are not stored yet. */
export const Throughput = ({ minutes, pending }: { minutes: Health['minutes']; pending: number }) => (
  <Paper withBorder p="md" component="section" aria-labelledby="throughput">
    <Group justify="space-between" gap="sm" mb="xs">
      <Title order={2} size="h4" id="throughput">
        Events in the last hour
      </Title>
      <Text size="sm">
        <b>{wholeNumber(pending)}</b> waiting to be stored
      </Text>
    </Group>
    <ul className={styles.legend}>
      {SERIES.map((name) => (
        <li key={name} data-series={name}>
          <b>{wholeNumber(sumOf(minutes, name))}</b> {name}
        </li>
      ))}
    </ul>
    <Chart minutes={minutes} />
    <MinuteTable minutes={minutes} />
  </Paper>
);

/** The chart's data as a table, without idle minutes, newest first. */
function MinuteTable({ minutes }: Pick<Health, 'minutes'>) {
  const zone = useTimeZone();
  const busy = minutes.filter(({ accepted, stored, failed }) => accepted + stored + failed > 0).reverse();
  return (
    <details className={styles.table}>
      <summary>Show as a table</summary>
      {busy.length === 0 ? (
        <p>No events in the last hour.</p>
      ) : (
        <DataTable
          label="Events per minute"
          head={['Minute', 'Accepted', 'Stored', 'Failed', 'Alerts created']}
        >
          {busy.map(({ minute, accepted, stored, failed, alerts }) => (
            <Table.Tr key={minute}>
              <Table.Td>{shortTime(minute, zone)}</Table.Td>
              {[accepted, stored, failed, alerts].map((count, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
                <Table.Td key={column} className={styles.count}>
                  {wholeNumber(count)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </details>
  );
}

const HEIGHT = 190;
const MIN_WIDTH = 240;

type Minutes = Pick<Health, 'minutes'>;

/** Line chart of events per minute. It is drawn at the element's real width, so its text does not scale with the page. */
function Chart({ minutes }: Minutes) {
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
