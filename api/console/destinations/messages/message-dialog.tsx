import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Attempt, Message, One } from '../../http/types.ts';
import { Facts } from '../../parts/facts.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Time } from '../../parts/values/time.tsx';
import { ReplayButton } from '../replay/replay-button.tsx';
import { DESTINATIONS, useDestination } from '../use-destination.ts';
import { ChangeBadge, MessageState, NextAttempt, SubjectLink } from './message-parts.tsx';
import { describeOutcome, describeTook } from './message-words.ts';
import styles from './messages.module.css';
import { Response, SentBody } from './sent-body.tsx';

interface MessageDialogProps {
  destinationId: string;
  /** The number of the message in its destination. */
  sequence: string;
  /** Undefined if it is not among the loaded ones. */
  message: Message | undefined;
  /** Whether the destination is paused or stopped. */
  isHeld: boolean;
  onClose: () => void;
}

/** One message: its attempts with the responses, and the body that they sent. */
export default function MessageDialog(props: MessageDialogProps) {
  const { destinationId, sequence, message, isHeld, onClose } = props;
  return (
    <Dialog onClose={onClose} title="Message" size="xl">
      <Stack>
        {message && <MessageFacts message={message} isHeld={isHeld} />}
        {message && <SendAgain message={message} />}
        <Attempts destinationId={destinationId} sequence={sequence} />
      </Stack>
    </Dialog>
  );
}

const MessageFacts = ({ message, isHeld }: { message: Message; isHeld: boolean }) => (
  <Facts
    facts={[
      [message.jobId === null ? 'Alert' : 'Job', <SubjectLink key="subject" message={message} />],
      ['Change', <ChangeBadge key="change" change={message.change} />],
      ['Changed', <Time key="at" at={message.createdAt} />],
      ['State', <MessageState key="state" message={message} />],
      ...(message.dueAt === null
        ? []
        : [['Next attempt', <NextAttempt key="due" dueAt={message.dueAt} isHeld={isHeld} />] as const]),
      ...(message.replayedAt === null
        ? []
        : [['Sent again', <Time key="again" at={message.replayedAt} />] as const]),
      ['Message ID', <code key="id">{message.id}</code>],
    ]}
  />
);

const AGAIN: readonly Message['state'][] = ['dead', 'expired', 'canceled', 'delivered'];

/** A button that sends a message again that has ended. */
function SendAgain({ message: { destinationId, sequence, state } }: { message: Message }) {
  const { data: destination } = useDestination(destinationId);
  if (!destination || !AGAIN.includes(state)) return null;
  return (
    <Group>
      <ReplayButton destination={destination} what={{ sequence }} isDelivered={state === 'delivered'} />
    </Group>
  );
}

const REFRESH_MS = 5_000;

function Attempts({ destinationId, sequence }: Pick<MessageDialogProps, 'destinationId' | 'sequence'>) {
  const path = `${DESTINATIONS}/${destinationId}/messages/${sequence}/attempts`;
  const { data: destination } = useDestination(destinationId);
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => requestJson<One<{ body: string | null; attempts: Attempt[] }>>(path, { signal }),
    refetchInterval: REFRESH_MS,
  });
  if (!data) {
    if (error) return <Failure error={error} title="Could not load the attempts" retry={refetch} />;
    return <Loading rows={4} />;
  }
  const { body, attempts } = data.data;
  return (
    <>
      <Title order={3} size="h5">
        Attempts
      </Title>
      {attempts.length === 0 ? (
        <Text size="sm">Nothing has been sent.</Text>
      ) : (
        <DataTable label="Attempts" head={['Attempt', 'Time', 'Took', 'Outcome', 'Response']}>
          {attempts.map((attempt) => (
            <Row key={attempt.number} attempt={attempt} />
          ))}
        </DataTable>
      )}
      {body !== null && (
        <>
          <Title order={3} size="h5">
            Body
          </Title>
          <SentBody text={body} preset={destination?.preset} />
        </>
      )}
    </>
  );
}

const Row = ({ attempt: { number, beganAt, tookMs, outcome, response } }: { attempt: Attempt }) => (
  <Table.Tr>
    <Table.Td>{number}</Table.Td>
    <Table.Td className={styles.time}>{beganAt === null ? 'Unknown' : <Time at={beganAt} />}</Table.Td>
    <Table.Td>{tookMs === null ? 'Unknown' : describeTook(tookMs)}</Table.Td>
    <Table.Td>{describeOutcome(outcome)}</Table.Td>
    <Table.Td className={styles.response}>
      <Response text={response} />
    </Table.Td>
  </Table.Tr>
);
