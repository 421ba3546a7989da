import { Anchor, Text } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { ErrorList } from '../../../events/error-list.tsx';
import { EventAlerts } from '../../../events/event-alerts.tsx';
import { useReceipt } from '../../../events/event-query.ts';
import type { Receipt } from '../../../http/types.ts';
import { useMay } from '../../../http/use-current-key.ts';
import { announce } from '../../../parts/feedback/announce.tsx';
import { StateBadge } from '../../../parts/values/badge.tsx';
import { counted } from '../../../text/quantities.ts';
import type { SendResult } from '../event/send-event.ts';
import styles from './receipt.module.css';
import { RejectedEvent } from './rejected-event.tsx';
import { Step } from './step.tsx';
import { StillWaiting } from './still-waiting.tsx';

interface StepsProps {
  webhookId: string;
  result: SendResult | undefined;
  isSending: boolean;
}

/** Shows the progress of one event step by step. All steps are rendered from the start, so the layout never shifts. */
export function ReceiptSteps({ webhookId, result, isSending }: StepsProps) {
  const eventId = result?.eventId ?? null;
  const may = useMay('alerts:read');
  const { receipt, waitedS, error } = useReceipt(may ? eventId : null);
  const isStored = receipt !== null;
  useEffect(() => {
    if (receipt) announce(describeReceipt(receipt));
  }, [receipt]);
  return (
    <ol className={styles.steps} aria-label="Receipt">
      <Step title="Sent" state={sentState(result, isSending)}>
        {eventId && <Accepted eventId={eventId} />}
        {result?.failure && <RejectedEvent rejection={result} webhookId={webhookId} />}
      </Step>
      <Step title="Queued" state={isStored ? 'done' : eventId ? 'now' : 'later'}>
        {eventId &&
          !isStored &&
          (may ? <StillWaiting waitedS={waitedS} error={error} /> : <ReadNotAllowed />)}
      </Step>
      <Step title="Normalized" state={receipt ? (receipt.state === 'normalized' ? 'done' : 'bad') : 'later'}>
        {receipt && <Outcome receipt={receipt} />}
      </Step>
      <Step
        title="Alerts"
        state={receipt && receipt.alertIds.length + receipt.outcomes.length > 0 ? 'done' : 'later'}
        isLast
      >
        {receipt && <EventAlerts event={receipt} />}
      </Step>
    </ol>
  );
}

const describeReceipt = ({ state, alertIds }: Receipt): string =>
  state === 'normalized' ? `Stored. ${counted(alertIds.length, 'alert')}.` : `The event is ${state}.`;

const sentState = (result: SendResult | undefined, isSending: boolean) =>
  isSending ? 'now' : result === undefined ? 'later' : result.failure ? 'bad' : 'done';

const Accepted = ({ eventId }: { eventId: string }): ReactNode => (
  <>
    202 Accepted, event{' '}
    <Anchor component={Link} href={`/events/${eventId}`} ff="monospace" size="sm" underline="always">
      {eventId}
    </Anchor>
  </>
);

const Outcome = ({ receipt }: { receipt: Receipt }) => (
  <>
    {receipt.state !== 'normalized' && <StateBadge state={receipt.state} />}{' '}
    {receipt.revision === 0 ? <NoMapping receipt={receipt} /> : `Mapping revision ${receipt.revision}`}
    <ErrorList errors={receipt.faults} tone="bad" />
    <ErrorList errors={receipt.warnings} tone="warn" label="Warnings" />
  </>
);

/** The mapping page recognizes the payload and offers the template that fits. */
const NoMapping = ({ receipt: { id, webhookId } }: { receipt: Receipt }) => (
  <>
    No mapping yet.{' '}
    <Anchor
      component={Link}
      href={`/integrations/${webhookId}/mapping?event=${id}`}
      size="sm"
      underline="always"
    >
      Find a template for this payload
    </Anchor>
  </>
);

const ReadNotAllowed = () => (
  <Text size="sm" component="span">
    The event is on its way. Following it needs a key with the scope alerts:read.
  </Text>
);
