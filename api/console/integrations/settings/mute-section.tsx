import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Failure } from '../../parts/feedback/failure.tsx';
import { fromLocalInput } from '../../parts/filters/url-filters.ts';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/values/time.tsx';
import { useTimeZone } from '../../settings/time-zone.ts';
import type { TabProps } from '../webhook/tab-props.ts';
import { useMutedUntil } from '../webhook/use-muted-until.ts';
import { useChangeWebhook } from './use-change-webhook.ts';

const HOUR_MS = 3_600_000;
const HOURS = [1, 4];

/** Mutes the integration for a time, so that no destination is told of its alerts. */
export function MuteSection({ webhook, may }: TabProps & { may: boolean }) {
  const mutedUntil = useMutedUntil(webhook);
  return (
    <Section
      title="Mute"
      about="Tells no destination of its alerts for a time, such as during maintenance. Events and alerts are stored as usual. What still fires at the end is told then."
    >
      <Stack>
        <Text size="sm">
          {mutedUntil === null ? (
            'Not muted'
          ) : (
            <>
              Muted until <Time at={mutedUntil} />
            </>
          )}
        </Text>
        {may && <MuteForm webhook={webhook} isMuted={mutedUntil !== null} />}
      </Stack>
    </Section>
  );
}

function MuteForm({ webhook, isMuted }: TabProps & { isMuted: boolean }) {
  const [typed, setTyped] = useState('');
  const zone = useTimeZone();
  const { mutate, isPending, error } = useChangeWebhook(webhook.id);
  const mute = (mutedUntil: string | null) =>
    mutate(
      { method: 'PATCH', json: { mutedUntil }, done: mutedUntil === null ? 'Unmuted' : 'Muted' },
      { onSuccess: () => setTyped('') },
    );
  const until = typed && fromLocalInput(typed, zone);
  const isPast = until !== '' && Date.parse(until) <= Date.now();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mute(until);
  };
  return (
    <>
      <Group gap="sm">
        {isMuted && (
          <Button size="sm" loading={isPending} onClick={() => mute(null)}>
            Unmute
          </Button>
        )}
        {HOURS.map((hours) => (
          <Button
            key={hours}
            size="sm"
            variant="default"
            disabled={isPending}
            onClick={() => mute(new Date(Date.now() + hours * HOUR_MS).toISOString())}
          >
            {`Mute for ${hours} h`}
          </Button>
        ))}
      </Group>
      <form onSubmit={submit}>
        <Group gap="sm" align="flex-end">
          <TextInput
            type="datetime-local"
            label={zone ? `Until (${zone})` : 'Until'}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            error={isPast && 'This time is over'}
          />
          <Button type="submit" size="sm" variant="default" disabled={isPending || until === '' || isPast}>
            Mute until then
          </Button>
        </Group>
      </form>
      {error && <Failure error={error} title="Could not save" />}
    </>
  );
}
