import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ErrorList } from '../../../events/error-list.tsx';
import { EventAlerts } from '../../../events/event-alerts.tsx';
import { useReceipt } from '../../../events/event-query.ts';
import type { Receipt } from '../../../http/types.ts';
import { useMay } from '../../../http/use-current-key.ts';
import { StateBadge } from '../../../parts/values/badge.tsx';
import type { Answer } from '../event/send-event.ts';
import styles from './receipt.module.css';
import { RefusedEvent } from './rejected-event.tsx';
import { Step } from './step.tsx';
import { StillWaiting } from './still-waiting.tsx';

interface StepsProps {
  webhookId: string;
  answer: Answer | undefined;
  isSending: boolean;
}

/** What becomes of one event, step by step. All steps are there from the beginning, so that nothing jumps. */
export function ReceiptSteps({ webhookId, answer, isSending }: StepsProps) {
  const eventId = answer?.eventId ?? null;
  const may = useMay('alerts:read');
  const { receipt, waitedS, error } = useReceipt(may ? eventId : null);
  const isStored = receipt !== null;
  return (
    <ol className={styles.steps} aria-label="Receipt">
      <Step title="Sent" state={sentState(answer, isSending)}>
        {eventId && <Accepted eventId={eventId} />}
        {answer?.failure && <RefusedEvent answer={answer} webhookId={webhookId} />}
      </Step>
      <Step title="Queued" state={isStored ? 'done' : eventId ? 'now' : 'later'}>
        {eventId && !isStored && (may ? <StillWaiting waitedS={waitedS} error={error} /> : <MayNotRead />)}
      </Step>
      <Step title="Normalized" state={receipt ? (receipt.state === 'normalized' ? 'done' : 'bad') : 'later'}>
        {receipt && <Outcome receipt={receipt} />}
      </Step>
      <Step title="Alerts" state={receipt?.alertIds.length ? 'done' : 'later'} isLast>
        {receipt && <EventAlerts event={receipt} />}
      </Step>
    </ol>
  );
}

const sentState = (answer: Answer | undefined, isSending: boolean) =>
  isSending ? 'now' : answer === undefined ? 'later' : answer.failure ? 'bad' : 'done';

const Accepted = ({ eventId }: { eventId: string }): ReactNode => (
  <>
    202, accepted as event{' '}
    <Anchor component={Link} href={`/events/${eventId}`} ff="monospace" size="sm" underline="always">
      {eventId}
    </Anchor>
  </>
);

const Outcome = ({ receipt }: { receipt: Receipt }) => (
  <>
    {receipt.state !== 'normalized' && <StateBadge state={receipt.state} />}{' '}
    {receipt.revision === 0 ? 'Without a mapping' : `By revision ${receipt.revision} of the mapping`}
    <ErrorList errors={receipt.faults} tone="bad" />
    <ErrorList errors={receipt.warnings} tone="warn" label="Warnings" />
  </>
);

const MayNotRead = () => (
  <Text size="sm" component="span">
    It is on its way. To see what becomes of it takes a key with the scope alerts:read.
  </Text>
);
