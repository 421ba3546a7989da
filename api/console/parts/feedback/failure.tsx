import { Alert, Button, Group, List, Text } from '@mantine/core';
import { type ErrorDetail, RequestFailure } from '../../http/request-failure.ts';
import { wholeNumber } from '../../text/quantities.ts';

interface FailureProps {
  error: unknown;
  /** What was not done, in a few words: "The keys could not be read". */
  title: string;
  retry?: () => unknown;
}

const SHOWN = 10;

/** What went wrong and what to do next. */
export function Failure({ error, title, retry }: FailureProps) {
  const failure = error instanceof RequestFailure ? error : null;
  return (
    <Alert color="red" title={title} role="alert">
      <Text size="sm">{failure?.message ?? String(error)}</Text>
      <Faults failure={failure} />
      <Text size="sm" mt="xs">
        {adviceFor(failure)}
      </Text>
      <Group mt="xs" gap="md">
        {retry && (
          <Button size="compact-sm" variant="light" color="red" onClick={() => retry()}>
            Try again
          </Button>
        )}
        {failure?.requestId && (
          <Text size="xs" c="dimmed">
            Request {failure.requestId}
          </Text>
        )}
      </Group>
    </Alert>
  );
}

function Faults({ failure }: { failure: RequestFailure | null }) {
  if (!failure || failure.errors.length === 0) return null;
  const more = failure.errorCount - Math.min(SHOWN, failure.errors.length);
  return (
    <List size="sm" mt="xs">
      {failure.errors.slice(0, SHOWN).map((error) => (
        <List.Item key={JSON.stringify(error)}>{describeError(error)}</List.Item>
      ))}
      {more > 0 && <List.Item>and {wholeNumber(more)} more</List.Item>}
    </List>
  );
}

/** A error with its place in front: "line 3, integrationId: not a whole number". */
export function describeError({ line, column, index, field, message }: ErrorDetail): string {
  const place = [
    line === undefined ? '' : `line ${line}`,
    column === undefined ? '' : `column ${column}`,
    index === undefined ? '' : `record ${index + 1}`,
    field ?? '',
  ].filter(Boolean);
  return place.length > 0 ? `${place.join(', ')}: ${message}` : message;
}

function adviceFor(failure: RequestFailure | null): string {
  if (!failure) return 'This is a error of the console. Reload the page; what is stored is not touched.';
  if (failure.code === 'file_changed')
    return 'Choose the file again: a browser sends a file only as it was when it was chosen.';
  if (failure.status === 0)
    return 'Is Muster running, and is this machine on the network? Nothing was lost here.';
  if (failure.status === 403)
    return 'Sign in with a key that has this scope, or ask an administrator for one.';
  if (failure.code === 'search_too_slow') return 'Search for more letters, or narrow it by another filter.';
  if (failure.isTemporary) return 'This passes by itself as a rule: try again in a moment.';
  if (failure.status >= 500) return 'The log of the API says more, under the number of the request.';
  return 'Correct what is named above, and try again.';
}
