import { Alert, Stack } from '@mantine/core';
import { Failure } from '../parts/feedback/failure.tsx';
import { describeOutages, type Readiness } from './readiness.ts';

/** One alert per unavailable service; renders nothing if all services are available. */
export function ReadinessAlerts({ readiness, error }: { readiness: Readiness | undefined; error: unknown }) {
  if (error) return <Failure error={error} title="Could not check readiness" />;
  const outages = readiness ? describeOutages(readiness) : [];
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
