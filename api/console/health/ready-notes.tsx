import { Alert, Stack } from '@mantine/core';
import { Failure } from '../parts/failure.tsx';
import { awayInWords, type Readiness } from './words.ts';

/** Whether all that is needed is there; else what is away, and what to do. */
export function ReadyNotes({ readiness, error }: { readiness: Readiness | undefined; error: unknown }) {
  if (error) return <Failure error={error} title="Whether Muster is ready could not be asked" />;
  if (!readiness) return <Alert color="gray" title="Asking whether all is there …" role="status" />;
  const away = awayInWords(readiness);
  if (away.length === 0) {
    return <Alert color="green" title="Ready: Redis, the database and a worker are there" role="status" />;
  }
  return (
    <Stack gap="sm">
      {away.map(({ title, text }) => (
        <Alert key={title} color="red" title={title} role="alert">
          {text}
        </Alert>
      ))}
    </Stack>
  );
}
