import { Alert, Anchor, Text } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { RequestFailure } from '../../http/request-failure.ts';
import type { Destination } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { NotFound } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { TabBar } from '../../parts/tab-bar.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { Badge, StateBadge } from '../../parts/values/badge.tsx';
import { counted } from '../../text/quantities.ts';
import { WhyState } from '../destination-state.tsx';
import { MessageList } from '../messages/message-list.tsx';
import { presetOf } from '../presets.ts';
import { useDestination } from '../use-destination.ts';
import { PauseButton } from './pause-button.tsx';
import { TestButton } from './test-button.tsx';

const Settings = lazyPart(() => import('./settings.tsx'));
const GivenUpList = lazyPart(() => import('../replay/given-up-list.tsx'));

const FIRST_TAB = 'messages';
const TABS = [
  { name: FIRST_TAB, title: 'Messages' },
  { name: 'given-up', title: 'Given up' },
  { name: 'settings', title: 'Settings' },
] as const;

/** The page of one destination: its state, its messages and its settings. */
export default function DestinationPage() {
  const { id = '', tab = FIRST_TAB } = useParams();
  const { data: destination, error, refetch } = useDestination(id);
  if (!TABS.some(({ name }) => name === tab)) return <NotFound />;
  if (error instanceof RequestFailure && error.status === 404) return <NotFound />;
  const failure = error && <Failure error={error} title="Could not load the destination" retry={refetch} />;
  // A failed refresh keeps the tab mounted, so unsaved input survives a short API outage.
  if (!destination) return failure ?? <Loading shape="details" />;
  return (
    <>
      {failure}
      <Head destination={destination} />
      <Hindrance destination={destination} />
      <Trouble destination={destination} />
      <TabBar
        label="Destination tabs"
        tabs={TABS}
        open={tab}
        hrefOf={(name) => `/destinations/${destination.id}/${name}`}
      />
      {tab === FIRST_TAB && <MessageList destination={destination} />}
      {tab === 'given-up' && (
        <GivenUpList placeholder={<Loading shape="table" rows={3} />} destination={destination} />
      )}
      {tab === 'settings' && (
        <Settings placeholder={<Loading shape="details" />} key={destination.id} destination={destination} />
      )}
    </>
  );
}

function Head({ destination }: { destination: Destination }) {
  const { name, description, preset, host, recipients, state } = destination;
  const may = useMay('destinations:write');
  return (
    <PageHead
      title={name}
      above={<BackLink href="/destinations">Destinations</BackLink>}
      aside={
        <>
          <Badge>{presetOf(preset)?.title ?? preset}</Badge>
          <StateBadge state={state} />
        </>
      }
      actions={
        may && (
          <>
            <PauseButton destination={destination} />
            <TestButton destination={destination} />
          </>
        )
      }
      isTight
    >
      {description && <div>{description}</div>}
      <div>Sends to {recipients?.join(', ') ?? host}</div>
    </PageHead>
  );
}

/** Says why a destination is not told, or only slowly, and what happens to its messages. */
function Hindrance({ destination }: { destination: Destination }) {
  const { state, stoppedBecause, waiting } = destination;
  if (state === 'active') return null;
  const waits = waiting > 0 ? `${counted(waiting, 'message')} ${waiting === 1 ? 'waits' : 'wait'}. ` : '';
  return (
    <Alert
      color={state === 'stopped' ? 'red' : 'yellow'}
      title={<WhyState destination={destination} />}
      role="status"
      mb="sm"
    >
      {waits}
      {state === 'failing'
        ? 'Muster retries, with longer and longer pauses. The messages have the responses of the receiver.'
        : waiting > 0
          ? `${waiting === 1 ? 'It expires' : 'They expire'} after a day. `
          : 'New messages wait for up to a day. '}
      {state === 'stopped' &&
        (stoppedBecause === 'gone'
          ? 'Enter its new URL in the settings, or resume it if the receiver is there again.'
          : 'Fix the receiver, test it, and resume the destination.')}
    </Alert>
  );
}

const TROUBLES = {
  gone: 'It is stopped',
  stopped: 'It is stopped',
  failing: 'It fails',
  unreadable: 'Its URL or secret cannot be decrypted',
  dead: 'A message was given up',
} as const;

/** Links to the alert that Muster has raised about a destination. */
function Trouble({ destination: { id, trouble } }: { destination: Destination }) {
  if (!trouble) return null;
  const query = new URLSearchParams({ dedupKey: `muster:destination:${id}`, status: 'firing,resolved' });
  return (
    <Text size="sm" mb="sm">
      {TROUBLES[trouble.problem]}: Muster raised{' '}
      <Anchor component={Link} href={`/alerts?${query}`} size="sm" underline="always">
        an alert
      </Anchor>{' '}
      <Ago at={trouble.since} />, of which other destinations are told.
    </Text>
  );
}
