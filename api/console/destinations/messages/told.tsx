import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
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
import { isHeld, useDestinations } from '../use-destination.ts';
import { ChangeBadge, MessageState } from './message-parts.tsx';
import styles from './messages.module.css';

const MessageDialog = lazyPart(() => import('./message-dialog.tsx'));

const REFRESH_MS = 10_000;

interface ToldProps {
  /** Where the messages are read. */
  path: string;
  /** `alert`, `job` */
  of: string;
  about: string;
  /** What to say if there are none. */
  none: string;
}

/** Which destinations were told of an alert or a job, and why others were not. */
export function Told({ path, of, about, none }: ToldProps) {
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
    <Section title="Told" about={about} wide>
      {error && <Failure error={error} title="Could not load the messages" retry={refetch} />}
      {!messages && !error && <Loading shape="table" rows={2} />}
      {messages?.length === 0 && <Text size="sm">{none}</Text>}
      {messages && messages.length > 0 && (
        <DataTable
          label={`Messages about the ${of}`}
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
      <Table.Td className={styles.short}>
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
      <Table.Td className={styles.short}>
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
