import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { AlertHistogram, One } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { useFullTime } from '../../settings/time-zone.ts';
import { counted, wholeNumber } from '../../text/quantities.ts';
import type { AlertQuery } from '../list/alert-query.ts';
import styles from './alert-chart.module.css';
import { Bars } from './bars.tsx';
import { timeOf, toneOf, withoutTail } from './chart-bars.ts';

interface ChartProps {
  query: AlertQuery;
  /** What to say if there are no alerts. */
  empty?: string;
  /** Shows the alerts of a time. */
  narrow: (time: { from: string; to: string }) => void;
}

/** The number of alerts that match a query, and when they were received, by severity. */
export function AlertChart({ query, empty, narrow }: ChartProps) {
  const fullTime = useFullTime();
  const { data, error, refetch } = useAlertHistogram(query);
  if (!data) {
    if (error) return <Failure error={error} title="Could not count the alerts" retry={refetch} />;
    return <div className={styles.place} aria-hidden="true" />;
  }
  if (data.alerts === 0) return empty ? <Text mb="md">{empty}</Text> : null;
  const histogram = query.from || query.to ? data : withoutTail(data);
  const select = (one: number, other: number) => narrow(timeOf(histogram, one, other));
  return (
    <section className={styles.place} aria-label="Alerts by time">
      <ul className={styles.legend}>
        <li>
          <b>{counted(data.alerts, 'alert')}</b>
          {data.countedFrom && ` since ${fullTime(data.countedFrom)}, earlier ones not counted`}
        </li>
        {data.severities.map(({ severity, alerts }) => (
          <li key={severity} data-tone={toneOf(severity)}>
            {severity === null ? (
              <Text span inherit c="dimmed">
                no severity
              </Text>
            ) : (
              <bdi>{severity}</bdi>
            )}{' '}
            {wholeNumber(alerts)}
          </li>
        ))}
      </ul>
      <Bars histogram={histogram} select={select} />
      <BucketTable histogram={histogram} select={select} />
    </section>
  );
}

interface TableProps {
  histogram: AlertHistogram;
  select: (one: number, other: number) => void;
}

/** The chart's data as a table, without empty buckets, newest first. Its times narrow the list like the bars. */
function BucketTable({ histogram: { buckets, severities }, select }: TableProps) {
  const fullTime = useFullTime();
  return (
    <details className={styles.table}>
      <summary>Show as a table</summary>
      <DataTable
        label="Alerts of each bar"
        head={['From', 'Alerts', ...severities.map(({ severity }) => severity ?? 'No severity')]}
      >
        {buckets
          .map((bucket, place) => ({ ...bucket, place }))
          .filter(({ alerts }) => alerts > 0)
          .reverse()
          .map(({ from, alerts, counts, place }) => (
            <Table.Tr key={from}>
              <Table.Td>
                <Anchor component="button" type="button" size="sm" onClick={() => select(place, place)}>
                  {fullTime(from)}
                </Anchor>
              </Table.Td>
              {[alerts, ...counts].map((count, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
                <Table.Td key={column}>{wholeNumber(count)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
      </DataTable>
    </details>
  );
}

/** Counting reads all alerts of the time, so it is less frequent than the list. */
const REFRESH_MS = 30_000;

/** Loads the number of alerts by time and severity. A failed update keeps the last one. */
const useAlertHistogram = (query: AlertQuery) =>
  useQuery({
    queryKey: ['/v2/alerts/histogram', query],
    queryFn: ({ signal }) => requestJson<One<AlertHistogram>>('/v2/alerts/histogram', { query, signal }),
    select: ({ data }) => data,
    placeholderData: (last) => last,
    refetchInterval: REFRESH_MS,
    retry: false,
  });
