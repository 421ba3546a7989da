import { Anchor, Loader, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { ErrorList } from '../../../events/error-list.tsx';
import { EventAlerts } from '../../../events/event-alerts.tsx';
import { useReceipt } from '../../../events/event-query.ts';
import { RequestFailure } from '../../../http/request-failure.ts';
import type { Receipt } from '../../../http/types.ts';
import { useMay } from '../../../http/use-current-key.ts';
import { announce } from '../../../parts/feedback/announce.tsx';
import { Failure } from '../../../parts/feedback/failure.tsx';
import { StateBadge } from '../../../parts/values/badge.tsx';
import { counted } from '../../../text/quantities.ts';
import type { SendResult } from '../event/send-event.ts';
import styles from './receipt.module.css';
import { RejectedEvent } from './rejected-event.tsx';

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

interface StepProps {
  title: string;
  state: 'later' | 'now' | 'done' | 'bad';
  isLast?: boolean;
  children?: ReactNode;
}

const LABELS = { later: 'pending', now: 'in progress', done: 'done', bad: 'failed' };

/** One step in the processing of an event, with its state. */
const Step = ({ title, state, isLast = false, children }: StepProps) => (
  <li className={styles.step} data-state={state} data-last={isLast || undefined}>
    <span className={styles.mark} role="img" aria-label={LABELS[state]}>
      {state === 'done' && <IconCheck size={14} stroke={3} aria-hidden />}
      {state === 'bad' && <IconX size={14} stroke={3} aria-hidden />}
      {state === 'now' && <Loader size={14} aria-hidden />}
    </span>
    <div className={styles.stepBody}>
      <div className={styles.stepTitle}>{title}</div>
      <div className={styles.stepText}>{children}</div>
    </div>
  </li>
);

/** A single event is normally stored within a fraction of a second. In seconds. */
const LONG_WAIT_S = 10;

/** The text that is shown until an event is stored. */
function StillWaiting({ waitedS, error }: { waitedS: number; error: unknown }) {
  if (error && !isTransient(error)) return <Failure error={error} title="Could not load the receipt" />;
  if (waitedS < LONG_WAIT_S) return 'Waiting for a worker…';
  return (
    <>
      Not stored after {waitedS} s. The event is safe in the queue. Check that a worker is running and that
      the database is available.{' '}
      <Anchor component={Link} href="/health" size="sm" underline="always">
        Open Health
      </Anchor>
    </>
  );
}

/** Returns whether the event is not stored yet (404), or the API is unavailable for a moment. */
const isTransient = (error: unknown): boolean =>
  error instanceof RequestFailure && (error.status === 404 || error.isTemporary);
