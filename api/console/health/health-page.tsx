import { Anchor, Stack } from '@mantine/core';
import type { Health } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';
import { Failure } from '../parts/feedback/failure.tsx';
import { Loading } from '../parts/feedback/loading.tsx';
import live from '../parts/lists/live-list.module.css';
import { StaleNotice, useIsOld } from '../parts/lists/stale-notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Badge } from '../parts/values/badge.tsx';
import { describeClocks } from './clocks.ts';
import { FiringAlerts } from './firing-alerts.tsx';
import { Queues } from './queues.tsx';
import { describeOutages, type Readiness } from './readiness.ts';
import { Outages, ReadinessAlerts } from './readiness-alerts.tsx';
import { Throughput } from './throughput/throughput.tsx';
import { REFRESH_MS, useHealth, useReadiness } from './use-health.ts';
import { Workers } from './workers.tsx';

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
