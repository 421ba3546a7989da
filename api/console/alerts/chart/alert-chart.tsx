import { Text } from '@mantine/core';
import { Failure } from '../../parts/feedback/failure.tsx';
import { useFullTime } from '../../settings/time-zone.ts';
import { counted, wholeNumber } from '../../text/quantities.ts';
import type { AlertQuery } from '../list/alert-query.ts';
import styles from './alert-chart.module.css';
import { Bars } from './bars.tsx';
import { BucketTable } from './bucket-table.tsx';
import { timeOf, toneOf, withoutTail } from './chart-bars.ts';
import { useAlertHistogram } from './use-alert-histogram.ts';

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
