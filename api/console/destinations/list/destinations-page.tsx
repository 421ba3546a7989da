import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Destination } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { LinkRow, RowLink } from '../../parts/lists/link-row.tsx';
import { LiveList } from '../../parts/lists/live-list.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { useLivePages } from '../../parts/lists/use-pages.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { wholeNumber } from '../../text/quantities.ts';
import { WhyState } from '../destination-state.tsx';
import { presetOf } from '../presets.ts';
import { DESTINATIONS } from '../use-destination.ts';

const REFRESH_MS = 5_000;
const NewDestinationDialog = lazyPart(() => import('./new-destination-dialog.tsx'));

/** The list of all destinations, the newest first. */
export default function DestinationsPage() {
  const may = useMay('destinations:write');
  const [isOpen, setOpen] = useState(false);
  const add = may && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
      New destination
    </Button>
  );
  const pages = useLivePages<Destination>(DESTINATIONS, {}, REFRESH_MS);
  const isEmpty = pages.data !== undefined && pages.rows.length === 0;
  return (
    <>
      <PageHead title="Destinations" actions={!isEmpty && add}>
        Chats, pagers and programs that Muster tells when an alert fires, changes or is resolved.
      </PageHead>
      <LiveList
        pages={pages}
        what="destinations"
        head={['Name', 'Receiver', 'State', 'Waiting', 'Last success', 'Host']}
        row={(destination) => <Row key={destination.id} destination={destination} />}
        empty={
          <Empty title="No destinations yet" action={add}>
            A destination is where alerts go: a channel in Slack, Mattermost, Discord or Teams, PagerDuty,
            Alertmanager, or a URL of your own. It is told of alerts that change after it was created.
            {!may && ' This key cannot create destinations.'}
          </Empty>
        }
      />
      <OnDemand>{isOpen && <NewDestinationDialog onClose={() => setOpen(false)} />}</OnDemand>
    </>
  );
}

const Row = ({ destination }: { destination: Destination }) => (
  <LinkRow>
    <Table.Td>
      <RowLink href={`/destinations/${destination.id}`} fw={600}>
        {destination.name}
      </RowLink>
      <Text size="xs" c="dimmed" lineClamp={1}>
        {destination.description}
      </Text>
    </Table.Td>
    <Table.Td>{presetOf(destination.preset)?.title ?? destination.preset}</Table.Td>
    <Table.Td>
      <StateBadge state={destination.state} />
      <Text size="xs" c="dimmed">
        <WhyState destination={destination} />
      </Text>
    </Table.Td>
    <Table.Td>{wholeNumber(destination.waiting)}</Table.Td>
    <Table.Td>{destination.succeededAt ? <Ago at={destination.succeededAt} /> : 'Never'}</Table.Td>
    <Table.Td>{destination.host}</Table.Td>
  </LinkRow>
);
