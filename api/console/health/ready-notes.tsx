import { Alert, Stack } from '@mantine/core';
import { Failure } from '../parts/feedback/failure.tsx';
import { awayInWords, type Readiness } from './words.ts';

/** What is away, and what to do; nothing while all is there. */
export function ReadyNotes({ readiness, error }: { readiness: Readiness | undefined; error: unknown }) {
  if (error) return <Failure error={error} title="Whether Muster is ready could not be asked" />;
  const away = readiness ? awayInWords(readiness) : [];
  if (away.length === 0) return null;
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
