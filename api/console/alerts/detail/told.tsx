import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ChangeBadge, MessageState } from '../../destinations/messages/message-parts.tsx';
import { isHeld, useDestinations } from '../../destinations/use-destination.ts';
import { requestJson } from '../../http/request.ts';
import type { Destination, Message, One } from '../../http/types.ts';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/values/time.tsx';
import styles from './detail.module.css';

const MessageDialog = lazyPart(() => import('../../destinations/messages/message-dialog.tsx'));

const REFRESH_MS = 10_000;

/** Which destinations were told of an alert, and why others were not. */
export function Told({ alertId }: { alertId: string }) {
  const path = `/v2/alerts/${alertId}/messages`;
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => requestJson<One<Message[]>>(path, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const [opened, setOpened] = useState<string | null>(null);
  const destinations = useDestinations();
  const messages = data?.data;
  const open = messages?.find(({ id }) => id === opened);
  const openTo = open && destinations?.get(open.destinationId);
  return (
    <Section title="Told" about="Which destinations were told of this alert, and why others were not." wide>
      {error && <Failure error={error} title="Could not load the messages" retry={refetch} />}
      {!messages && !error && <Loading shape="table" rows={2} />}
      {messages?.length === 0 && (
        <Text size="sm">When the alert changed, no destination was set up for its integration.</Text>
      )}
      {messages && messages.length > 0 && (
        <DataTable
          label="Messages about the alert"
          head={['Destination', 'Change', 'Time', 'State', 'Attempts and body']}
        >
          {messages.map((message) => (
            <Row
              key={message.id}
              message={message}
              destination={destinations && (destinations.get(message.destinationId) ?? null)}
              open={() => setOpened(message.id)}
            />
          ))}
        </DataTable>
      )}
      <OnDemand>
        {open && (
          <MessageDialog
            destinationId={open.destinationId}
            sequence={String(open.sequence)}
            message={open}
            isHeld={openTo !== undefined && isHeld(openTo)}
            onClose={() => setOpened(null)}
          />
        )}
      </OnDemand>
    </Section>
  );
}

interface RowProps {
  message: Message;
  /** Null if it is deleted, undefined until it is loaded. */
  destination: Destination | null | undefined;
  open: () => void;
}

function Row({ message, destination, open }: RowProps) {
  const { change, createdAt, state } = message;
  return (
    <Table.Tr>
      <Table.Td className={styles.result}>
        {destination ? (
          <Anchor component={Link} href={`/destinations/${destination.id}`} size="sm">
            <bdi>{destination.name}</bdi>
          </Anchor>
        ) : (
          nameOf(destination)
        )}
      </Table.Td>
      <Table.Td>
        <ChangeBadge change={change} />
      </Table.Td>
      <Table.Td className={styles.result}>
        <Time at={createdAt} />
      </Table.Td>
      <Table.Td className={styles.why}>
        {destination === null && state === 'waiting' ? (
          'Not sent: the destination was deleted'
        ) : (
          <MessageState message={message} />
        )}
      </Table.Td>
      <Table.Td>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`View message to ${nameOf(destination)}: ${change}`}
          onClick={open}
          disabled={destination === null}
        >
          View
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

const nameOf = (destination: Destination | null | undefined): string =>
  destination?.name ?? (destination === null ? 'deleted destination' : '…');
