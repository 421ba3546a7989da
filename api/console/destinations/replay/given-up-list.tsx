import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { requestJson } from '../../http/request.ts';
import type { Destination, GivenUp, One } from '../../http/types.ts';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { wholeNumber } from '../../text/quantities.ts';
import { describeWhy } from '../messages/message-words.ts';
import { destinationEntry } from '../use-destination.ts';
import { ReplayButton } from './replay-button.tsx';

const REFRESH_MS = 10_000;

/** What a destination was not told because it was given up, by reason, and a button to send it again. */
export default function GivenUpList({ destination }: { destination: Destination }) {
  const path = `${destinationEntry(destination.id).path}/given-up`;
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => requestJson<One<GivenUp[]>>(path, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const groups = data?.data;
  if (!groups) {
    if (error) return <Failure error={error} title="Could not load the messages" retry={refetch} />;
    return <Loading shape="table" rows={3} />;
  }
  if (groups.length === 0) {
    return (
      <Empty title="Nothing was given up">
        Messages that could not be delivered, expired, or were canceled when the destination was resumed
        appear here, by reason.
      </Empty>
    );
  }
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text size="sm">
          Messages that were not delivered. They can be sent again for as long as events are kept.
        </Text>
        <ReplayButton destination={destination} what={{}} text="Send all again" />
      </Group>
      <DataTable
        label="Messages that were given up"
        head={['Reason', 'State', 'Messages', 'First', 'Last', 'Replay']}
      >
        {groups.map((group) => (
          <Row key={`${group.state} ${group.reason}`} destination={destination} group={group} />
        ))}
      </DataTable>
    </>
  );
}

function Row({ destination, group }: { destination: Destination; group: GivenUp }) {
  const { state, reason, count, firstAt, lastAt } = group;
  const why = describeWhy(reason);
  const query = new URLSearchParams({ state, ...(reason === null ? {} : { reason }) });
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} href={`/destinations/${destination.id}?${query}`} size="sm">
          {why}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <StateBadge state={state} />
      </Table.Td>
      <Table.Td>{wholeNumber(count)}</Table.Td>
      <Table.Td>
        <Ago at={firstAt} />
      </Table.Td>
      <Table.Td>
        <Ago at={lastAt} />
      </Table.Td>
      <Table.Td>
        <ReplayButton
          destination={destination}
          what={{ states: [state], ...(reason === null ? {} : { reasons: [reason] }) }}
          label={`Send again: ${why}`}
          isSmall
        />
      </Table.Td>
    </Table.Tr>
  );
}
