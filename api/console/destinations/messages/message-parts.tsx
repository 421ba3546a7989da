import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Message, RehearsedMessage } from '../../http/types.ts';
import { JOB_TYPES } from '../../jobs/job-names.ts';
import { Ago } from '../../parts/values/ago.tsx';
import { Badge, StateBadge } from '../../parts/values/badge.tsx';
import { describeReason } from './message-words.ts';

const TONES = {
  fired: 'firing',
  changed: 'warn',
  resolved: 'good',
  repeated: 'firing',
  finished: 'plain',
} as const;

/** What happened to the alert or the job. */
export const ChangeBadge = ({ change }: Pick<Message, 'change'>) => (
  <Badge tone={TONES[change]}>{change}</Badge>
);

/** The state of a message, with why it is in this state. */
export function MessageState({ message }: { message: Message | RehearsedMessage }) {
  const reason = describeReason(message);
  return (
    <>
      <StateBadge state={message.state} />
      {reason && (
        <Text size="sm" c="dimmed">
          {reason}
          {'digestedInto' in message && message.digestedInto !== null && `: message ${message.digestedInto}`}
        </Text>
      )}
      {message.detail && (
        <Text size="sm" c="dimmed">
          <bdi>{message.detail}</bdi>
        </Text>
      )}
    </>
  );
}

/** The alert of a message, with the title that it had then, or its job. */
export const SubjectLink = ({ message: { alertId, alertTitle, jobId, jobType } }: { message: Message }) =>
  jobId === null ? (
    <Anchor component={Link} href={`/alerts/${alertId}`} size="sm">
      {alertTitle === null ? <i>Untitled alert</i> : <bdi>{alertTitle}</bdi>}
    </Anchor>
  ) : (
    <Anchor component={Link} href={`/jobs/${jobId}`} size="sm">
      {JOB_TYPES[jobType ?? ''] ?? 'Job'}
    </Anchor>
  );

interface NextProps extends Pick<Message, 'dueAt'> {
  /** Whether its destination is paused or stopped. */
  isHeld: boolean;
}

/** When a message is sent next. */
export function NextAttempt({ dueAt, isHeld }: NextProps) {
  if (dueAt === null) return 'None';
  if (isHeld) return 'When the destination is resumed';
  return Date.parse(dueAt) <= Date.now() ? 'Now' : <Ago at={dueAt} />;
}
