import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { RequestFailure } from '../../http/request-failure.ts';
import type { RehearsedMessage } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { indentJson } from '../../parts/values/json-text.ts';
import { Raw } from '../../parts/values/raw.tsx';
import { byteSize } from '../../text/quantities.ts';
import { mailText } from '../messages/mail-text.ts';
import { ChangeBadge, MessageState } from '../messages/message-parts.tsx';
import styles from './drawn.module.css';
import type { usePreviewedMessages } from './use-rehearsal.ts';

/** What the destination would get of the newest alerts. */
export function PreviewedMessages({
  preview,
  preset,
}: {
  preview: ReturnType<typeof usePreviewedMessages>;
  preset: string;
}) {
  const { data, error, refetch, isEnabled } = preview;
  if (!isEnabled) return <Text size="sm">A preview needs a key with the scope alerts:read.</Text>;
  // What is wrong with the filter and the body is shown where they are entered.
  const isInvalid = error instanceof RequestFailure && error.status === 400;
  if (error && !isInvalid)
    return <Failure error={error} title="Could not load the preview" retry={refetch} />;
  if (!data)
    return isInvalid ? <Text size="sm">No preview while there are errors.</Text> : <Loading rows={4} />;
  if (data.length === 0)
    return (
      <Text size="sm">No alerts yet. What the destination would get of the newest ones appears here.</Text>
    );
  return (
    <ul className={styles.messages} data-testid="previewed messages" aria-busy={preview.isFetching}>
      {data.map((message) => (
        <PreviewedMessage key={message.alertId} message={message} preset={preset} />
      ))}
    </ul>
  );
}

/** A message that would be sent, or why it would not be. */
export const PreviewedMessage = ({ message, preset }: { message: RehearsedMessage; preset: string }) => (
  <li>
    <div className={styles.head}>
      <ChangeBadge change={changeOf(message)} />
      <Anchor component={Link} href={`/alerts/${message.alertId}`} size="sm">
        {message.alertTitle === null ? <i>Untitled alert</i> : <bdi>{message.alertTitle}</bdi>}
      </Anchor>
      {message.bytes !== null && (
        <Text span size="sm" c="dimmed">
          {byteSize(message.bytes)}
          {message.isCut && ', cut for the receiver'}
        </Text>
      )}
    </div>
    <MessageState message={message} />
    {message.body !== null && (
      <div className={styles.text}>
        <Raw
          text={mailText(preset, message.body) ?? indentJson(message.body) ?? message.body}
          label={`Body about ${message.alertTitle ?? message.alertId}, ${message.type}, ${message.at}`}
        />
      </div>
    )}
  </li>
);

const changeOf = ({ type }: RehearsedMessage) =>
  type === 'alert.fired' ? 'fired' : type === 'alert.changed' ? 'changed' : 'resolved';
