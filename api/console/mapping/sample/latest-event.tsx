import { Anchor, Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import styles from './sample.module.css';
import type { Sample } from './use-sample.ts';

/** Shows which stored event is used as the sample, and waits for the next one. */
export function LatestEvent({ sample }: { sample: Sample }) {
  const { latest, eventId } = sample;
  if (latest.error) {
    return <Failure error={latest.error} title="Could not load the events" retry={latest.refetch} />;
  }
  return (
    <div className={styles.source}>
      <Text size="sm" component="div" aria-busy={latest.isPending}>
        {eventId ? <ChosenEvent id={eventId} /> : <Newest latest={latest} />}
      </Text>
      {latest.rejected && !eventId && (
        <Text size="xs" c="dimmed" component="div">
          The newest event was rejected.{' '}
          <Anchor component={Link} href={`/events/${latest.rejected.id}`} underline="always">
            View event
          </Anchor>
        </Text>
      )}
      <Group gap="xs" mih={30}>
        {latest.waitingSince ? (
          <Waiting latest={latest} since={latest.waitingSince} />
        ) : (
          <Wait sample={sample} />
        )}
      </Group>
    </div>
  );
}

const ChosenEvent = ({ id }: { id: string }) => (
  <>
    Event{' '}
    <Anchor component={Link} href={`/events/${id}`} size="sm" underline="always">
      {id}
    </Anchor>
  </>
);

function Newest({ latest }: { latest: Sample['latest'] }) {
  if (latest.isPending) return <>Loading the latest event…</>;
  if (!latest.event) return <>No events yet. Send one to the URL, or wait for the source to send one.</>;
  return (
    <>
      Received <Ago at={latest.event.receivedAt} />
    </>
  );
}

const Wait = ({ sample }: { sample: Sample }) => (
  <Button
    size="compact-sm"
    variant="light"
    onClick={() => {
      if (sample.eventId) sample.choose('event');
      sample.latest.wait();
    }}
  >
    Wait for the next event
  </Button>
);

function Waiting({ latest, since }: { latest: Sample['latest']; since: number }) {
  const seconds = useSecondsSince(since);
  return (
    <>
      <Text size="sm">Waiting for the next event, {seconds} s</Text>
      <Button size="compact-sm" variant="default" onClick={latest.stop}>
        Stop
      </Button>
    </>
  );
}

function useSecondsSince(time: number): number {
  const [now, setNow] = useState(time);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.round((now - time) / 1_000));
}
