import { Anchor, Stack, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { requestJson } from '../../http/request.ts';
import type { AccountSystemDay } from '../../http/types.ts';
import { HeightAxis, TimeAxis } from '../../parts/chart/axes.tsx';
import { type Box, yOf } from '../../parts/chart/chart-geometry.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Section } from '../../parts/section.tsx';
import { wholeNumber } from '../../text/quantities.ts';
import styles from './days.module.css';
import { pointsOf, shareOf } from './shares.ts';

const HEIGHT = 150;
/** Rows of the table. The API has all of them. */
const SHOWN_DAYS = 30;

/** The share of accounts without an owner, day by day, as a chart and as a table. */
export function Days({ integrationId }: { integrationId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['/v2/integrations', integrationId, 'days'],
    queryFn: ({ signal }) =>
      requestJson<{ data: AccountSystemDay[] }>(`/v2/integrations/${integrationId}/days`, { signal }),
    select: ({ data }) => data,
  });
  return (
    <Section
      title="Accounts without an owner"
      about="The share of the accounts of the last worklist that had no owner. Muster learns from worklists which accounts there are."
      wide
    >
      {error ? (
        <Failure error={error} title="Could not load the days" retry={refetch} />
      ) : data ? (
        <Recorded days={data} integrationId={integrationId} />
      ) : (
        <Loading rows={3} />
      )}
    </Section>
  );
}

function Recorded({ days, integrationId }: { days: AccountSystemDay[]; integrationId: string }) {
  if (days.length === 0) return <Text size="sm">Nothing is recorded yet. A worker counts once a day.</Text>;
  const shares = days.filter((day) => shareOf(day) !== null);
  const last = shares.at(-1);
  return (
    <Stack gap="sm">
      {last ? (
        <>
          <Text size="sm">
            {wholeNumber(last.withoutOwner ?? 0)} of {wholeNumber(last.listed ?? 0)} accounts of the last
            worklist had no owner: {percent(shareOf(last))}.
          </Text>
          <ShareChart days={shares} />
        </>
      ) : (
        <Text size="sm">
          No day has a worklist yet.{' '}
          <Anchor
            component={Link}
            href={`/identities/worklist?integrationId=${integrationId}`}
            inherit
            underline="always"
          >
            Make a worklist
          </Anchor>{' '}
          to see how many accounts have no owner.
        </Text>
      )}
      <details>
        <summary className={styles.summary}>Show as a table</summary>
        <DataTable label="Days" head={['Day', 'Accounts', 'Owners', 'In the last worklist', 'Without owner']}>
          {days
            .slice(-SHOWN_DAYS)
            .reverse()
            .map((day) => (
              <Table.Tr key={day.day}>
                <Table.Td>{day.day}</Table.Td>
                <Table.Td>{shown(day.accounts)}</Table.Td>
                <Table.Td>{shown(day.owners)}</Table.Td>
                <Table.Td>{shown(day.listed)}</Table.Td>
                <Table.Td>
                  {day.withoutOwner === null
                    ? '–'
                    : `${wholeNumber(day.withoutOwner)} (${percent(shareOf(day))})`}
                </Table.Td>
              </Table.Tr>
            ))}
        </DataTable>
      </details>
    </Stack>
  );
}

const shown = (count: number | null): string => (count === null ? '–' : wholeNumber(count));
const percent = (share: number | null): string => `${Math.round((share ?? 0) * 1_000) / 10}%`;

function ShareChart({ days }: { days: readonly AccountSystemDay[] }) {
  const { ref, width } = useElementSize();
  const box: Box = { width: Math.max(240, width), height: HEIGHT, left: 44, right: 16, top: 8, bottom: 22 };
  const points = pointsOf(days, box);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const line = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L');
  const baseline = yOf(0, 100, box).toFixed(1);
  const ticks = [first, ...(last === first ? [] : [last])].map(({ x, day }) => ({
    at: x,
    label: dayLabel(day),
  }));
  const described =
    first === last
      ? `${first.day}: ${percent(first.share)}`
      : `${first.day}: ${percent(first.share)}, ${last.day}: ${percent(last.share)}`;
  return (
    <div ref={ref} className={styles.chart}>
      <svg
        width={box.width}
        height={HEIGHT}
        role="img"
        aria-label={`Percent of accounts without an owner. ${described}`}
      >
        <HeightAxis maximum={100} box={box} />
        <TimeAxis ticks={ticks} box={box} />
        <path
          className={styles.area}
          d={`M${line}L${last.x.toFixed(1)},${baseline}L${first.x.toFixed(1)},${baseline}Z`}
        />
        <path className={styles.line} d={`M${line}`} />
        <circle className={styles.point} cx={last.x} cy={last.y} r={3} />
      </svg>
    </div>
  );
}

const dayLabel = (day: string): string =>
  new Date(day).toLocaleDateString([], { month: 'short', day: 'numeric', timeZone: 'UTC' });
