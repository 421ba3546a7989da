import { Anchor, Stack } from '@mantine/core';
import type { Health } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';
import { Failure } from '../parts/feedback/failure.tsx';
import { Loading } from '../parts/feedback/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Badge } from '../parts/values/badge.tsx';
import { Queues } from './queues.tsx';
import { ReadyNotes } from './ready-notes.tsx';
import { Throughput } from './throughput.tsx';
import { useHealth, useReadiness } from './use-health.ts';
import type { Readiness } from './words.ts';
import { Workers } from './workers.tsx';

/** Whether work is done, how fast, and what waits. */
export default function HealthPage() {
  const health = useHealth();
  const ready = useReadiness();
  return (
    <>
      <PageHead
        title="Health"
        beside={<ReadyBadge readiness={ready.data} isUnknown={ready.isError} />}
        actions={<DashboardLink />}
      >
        What waits, what is done, and who does it; read anew every 3 seconds.
      </PageHead>
      <Stack gap="lg">
        <ReadyNotes readiness={ready.data} error={ready.error} />
        {health.isError && (
          <Failure error={health.error} title="The figures could not be read" retry={health.refetch} />
        )}
        {health.isPending && <Loading />}
        {health.data && <Figures health={health.data} />}
      </Stack>
    </>
  );
}

/** The dashboard is a page of its own, to which the browser signs in by itself: it asks for the key as a password. */
function DashboardLink() {
  if (!useMay('admin')) return null;
  return (
    <Anchor href="/admin/queues" target="_blank" rel="noreferrer noopener" size="sm" underline="always">
      Queue dashboard
    </Anchor>
  );
}

function ReadyBadge({ readiness, isUnknown }: { readiness: Readiness | undefined; isUnknown: boolean }) {
  if (isUnknown) return <Badge tone="bad">not known</Badge>;
  if (!readiness) return <Badge>asking</Badge>;
  const isReady = readiness.redis && readiness.database && readiness.worker;
  return <Badge tone={isReady ? 'good' : 'bad'}>{isReady ? 'ready' : 'not ready'}</Badge>;
}

const Figures = ({ health }: { health: Health }) => (
  <>
    <Throughput minutes={health.minutes} pending={health.eventsPending} />
    <Queues queues={health.queues} />
    <Workers workers={health.workers} />
  </>
);
