import { Group, Paper, Text, Title } from '@mantine/core';
import type { Health } from '../http/types.ts';
import { wholeNumber } from '../text/quantities.ts';
import { Chart } from './chart.tsx';
import { sumOf } from './chart-geometry.ts';
import styles from './health.module.css';
import { MinuteTable } from './minute-table.tsx';

const SERIES = ['accepted', 'stored', 'failed'] as const;

/** Events of the last hour, by the minute. */
export const Throughput = ({ minutes, pending }: { minutes: Health['minutes']; pending: number }) => (
  <Paper withBorder p="md" component="section" aria-labelledby="throughput">
    <Group justify="space-between" gap="sm" mb="xs">
      <Title order={2} size="h4" id="throughput">
        Events of the last hour
      </Title>
      <Text size="sm">
        <b>{wholeNumber(pending)}</b> on their way to the database
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
