import { Alert, Stack } from '@mantine/core';
import { Failure } from '../parts/feedback/failure.tsx';
import { describeOutages, type Outage, type Readiness } from './readiness.ts';

/** One alert per unavailable service; renders nothing if all services are available. */
export function ReadinessAlerts({ readiness, error }: { readiness: Readiness | undefined; error: unknown }) {
  if (error) return <Failure error={error} title="Could not check readiness" />;
  return <Outages outages={readiness ? describeOutages(readiness) : []} />;
}

/** One alert per outage; renders nothing if there is none. */
export function Outages({ outages }: { outages: readonly Outage[] }) {
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
