import { Group, Paper, Text, Title } from '@mantine/core';
import type { Health } from '../../http/types.ts';
import { wholeNumber } from '../../text/quantities.ts';
import { Chart } from './chart.tsx';
import { MinuteTable } from './minute-table.tsx';
import { sumOf } from './minutes.ts';
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
