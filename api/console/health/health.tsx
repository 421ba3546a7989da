import { Stack } from '@mantine/core';
import type { Health } from '../http/types.ts';
import { Failure } from '../parts/failure.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Queues } from './queues.tsx';
import { ReadyNotes } from './ready-notes.tsx';
import { Throughput } from './throughput.tsx';
import { useHealth, useReadiness } from './use-health.ts';
import { Workers } from './workers.tsx';

/** Whether work is done, how fast, and what waits. */
export default function HealthPage() {
  const health = useHealth();
  const ready = useReadiness();
  return (
    <>
      <PageHead title="Health">
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

const Figures = ({ health }: { health: Health }) => (
  <>
    <Throughput minutes={health.minutes} pending={health.eventsPending} />
    <Queues queues={health.queues} />
    <Workers workers={health.workers} />
  </>
);
