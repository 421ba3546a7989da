import { Text } from '@mantine/core';
import type { Alert } from '../../http/types.ts';
import { Message } from '../../parts/values/message.tsx';

/** Why an alert is incomplete: its first error, and how many more there are. Renders nothing for a complete alert. */
export function IncompleteReason({ errors }: { errors: Alert['faults'] }) {
  const [first] = errors;
  if (!first) return null;
  const more = errors.length > 1 ? ` (+${errors.length - 1} more)` : '';
  return (
    <Text size="sm" c="var(--warn)" lineClamp={1} title={errors.map(({ message }) => message).join('\n')}>
      <bdi>
        <Message text={first.message} />
      </bdi>
      {more}
    </Text>
  );
}
