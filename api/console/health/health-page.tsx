import { Alert, Anchor, Stack, Text, Title } from '@mantine/core';
import type { Health } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';
import { Failure } from '../parts/feedback/failure.tsx';
import { Loading } from '../parts/feedback/loading.tsx';
import { DataTable } from '../parts/lists/data-table.tsx';
import live from '../parts/lists/live-list.module.css';
import { StaleNotice, useIsOld } from '../parts/lists/stale-notice.tsx';
import { Table } from '../parts/lists/table.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Ago } from '../parts/values/ago.tsx';
import { Badge } from '../parts/values/badge.tsx';
import { describeClocks } from './clocks.ts';
import { FiringAlerts } from './firing-alerts.tsx';
import { Queues } from './queues.tsx';
import { describeOutages, type Outage, type Readiness } from './readiness.ts';
import { Throughput } from './throughput/throughput.tsx';
import { REFRESH_MS, useHealth, useReadiness } from './use-health.ts';

/** The health page: readiness, throughput, queues and workers. */
export default function HealthPage() {
  const health = useHealth();
  const ready = useReadiness();
  const isOld = useIsOld(ready.dataUpdatedAt, REFRESH_MS);
  return (
    <>
      <PageHead
        title="Health"
        aside={<ReadyBadge readiness={ready.data} isUnknown={ready.isError || (ready.isSuccess && isOld)} />}
        actions={<DashboardLink />}
      >
        Queues, throughput and workers. Updates every 3 seconds.
      </PageHead>
      {health.data && (
        <div className={live.over}>
          <StaleNotice
            what="figures"
            updatedAt={health.dataUpdatedAt}
            everyMs={REFRESH_MS}
            error={health.error ?? ready.error}
            retry={() => Promise.all([health.refetch(), ready.refetch()])}
          />
        </div>
      )}
      <Stack gap="lg">
        <ReadinessAlerts readiness={ready.data} error={health.data ? null : ready.error} />
        {health.isPending && <Loading />}
        {health.data ? (
          <Figures health={health.data} />
        ) : (
          health.isError && (
            <Failure error={health.error} title="Could not load the health data" retry={health.refetch} />
          )
        )}
      </Stack>
    </>
  );
}

/** Links to the queue dashboard. The browser asks for the API key as a password there, because the dashboard is a separate page. */
function DashboardLink() {
  if (!useMay('admin')) return null;
  return (
    <Anchor href="/admin/queues" target="_blank" rel="noreferrer noopener" size="sm" underline="always">
      Queue dashboard
    </Anchor>
  );
}

function ReadyBadge({ readiness, isUnknown }: { readiness: Readiness | undefined; isUnknown: boolean }) {
  if (!readiness && !isUnknown) return <Badge>checking</Badge>;
  if (!readiness || isUnknown) return <Badge tone="bad">unknown</Badge>;
  const isReady = describeOutages(readiness).length === 0;
  return <Badge tone={isReady ? 'good' : 'bad'}>{isReady ? 'ready' : 'not ready'}</Badge>;
}

const Figures = ({ health }: { health: Health }) => (
  <>
    <Outages outages={describeClocks(health)} />
    <Throughput minutes={health.minutes} pending={health.eventsPending} />
    <Queues queues={health.queues} />
    <FiringAlerts firing={health.firing} />
    <Workers workers={health.workers} />
  </>
);

/** One alert per unavailable service; renders nothing if all services are available. */
function ReadinessAlerts({ readiness, error }: { readiness: Readiness | undefined; error: unknown }) {
  if (error) return <Failure error={error} title="Could not check readiness" />;
  return <Outages outages={readiness ? describeOutages(readiness) : []} />;
}

/** One alert per outage; renders nothing if there is none. */
function Outages({ outages }: { outages: readonly Outage[] }) {
  if (outages.length === 0) return null;
  return (
    <Stack gap="sm">
      {outages.map(({ title, text }) => (
        <Alert key={title} color="red" title={title} role="alert">
          {text}
        </Alert>
      ))}
    </Stack>
  );
}

/** The workers that reported within the last 6 seconds. */
const Workers = ({ workers }: Pick<Health, 'workers'>) => (
  <section>
    <Title order={2} size="h4" mb="xs">
      Workers
    </Title>
    {workers.length === 0 ? (
      <Text size="sm">No worker has reported in the last 6 seconds.</Text>
    ) : (
      <DataTable label="Workers" head={['Worker', 'State', 'Last seen']}>
        {workers.map(({ id, lastSeenAt, held }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <code>{id}</code>
            </Table.Td>
            <Table.Td>
              <Badge tone={held ? 'bad' : 'good'}>{held ? 'takes no jobs' : 'takes jobs'}</Badge>
            </Table.Td>
            <Table.Td>
              <Ago at={lastSeenAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    )}
  </section>
);
