import { Alert, Button, Group, List, Text } from '@mantine/core';
import { type ErrorDetail, RequestFailure } from '../../http/request-failure.ts';
import { wholeNumber } from '../../text/quantities.ts';
import { Message } from '../values/message.tsx';

interface FailureProps {
  error: unknown;
  /** What failed, such as "Could not load the keys". */
  title: string;
  retry?: () => unknown;
}

const SHOWN = 10;

/** An error message with what failed, why, and what to do next. */
export function Failure({ error, title, retry }: FailureProps) {
  const failure = error instanceof RequestFailure ? error : null;
  return (
    <Alert color="red" title={title} role="alert">
      <Text size="sm">
        <Message text={failure?.message ?? String(error)} />
      </Text>
      <Errors failure={failure} />
      <Text size="sm" mt="xs">
        {failure ? adviceFor(failure) : adviceForException(error)}
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

function Errors({ failure }: { failure: RequestFailure | null }) {
  if (!failure || failure.errors.length === 0) return null;
  const more = failure.errorCount - Math.min(SHOWN, failure.errors.length);
  return (
    <List size="sm" mt="xs">
      {failure.errors.slice(0, SHOWN).map((error) => (
        <List.Item key={JSON.stringify(error)}>
          <Message text={describeError(error)} />
        </List.Item>
      ))}
      {more > 0 && <List.Item>and {wholeNumber(more)} more</List.Item>}
    </List>
  );
}

/** Returns an error's message after its place: "line 3, integrationId: must be an integer". */
export function describeError({ line, column, index, field, message }: ErrorDetail): string {
  const place = [
    line === undefined ? '' : `line ${line}`,
    column === undefined ? '' : `column ${column}`,
    index === undefined ? '' : `record ${index + 1}`,
    field ?? '',
  ].filter(Boolean);
  return place.length > 0 ? `${place.join(', ')}: ${message}` : message;
}

/** Codes of a request to confirm a subscription that Amazon SNS did not send. */
const UNTRUSTED = new Set(['invalid_signature', 'invalid_certificate', 'invalid_subscribe_url']);

/** What browsers, and the code that Vite adds, say when a script or style file cannot be loaded. */
const NOT_LOADED = /dynamically imported module|module script|preload CSS/;

const adviceForException = (error: unknown): string =>
  NOT_LOADED.test(String(error))
    ? 'Muster was updated since this page was opened, or the network failed. Reload the page.'
    : 'This is a bug in the console. Reload the page. Stored data is not affected.';

function adviceFor(failure: RequestFailure): string {
  if (failure.code === 'file_changed')
    return 'Choose the file again. Browsers do not send a file that has changed since it was chosen.';
  if (failure.status === 0)
    return 'Check that Muster is running and that this device is connected to the network.';
  if (failure.status === 403)
    return 'Sign in with a key that has this scope, or ask an administrator for one.';
  if (failure.status === 410) return 'Reload the page to see what is still available.';
  if (failure.code === 'search_too_slow') return 'Use a longer search text, or add another filter.';
  if (UNTRUSTED.has(failure.code))
    return 'Do not trust this event. If you expect a subscription, request its confirmation again in Amazon SNS.';
  if (failure.isTemporary) return 'This is usually temporary. Try again in a moment.';
  if (failure.status >= 500) return 'The API’s log has the details under the request ID.';
  return 'Fix the errors above and try again.';
}
