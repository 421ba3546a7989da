import { Stack, Switch, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { Overtaken, SaveRow } from '../../parts/saving/save-section.tsx';
import { Section } from '../../parts/section.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { useSaveSection } from './use-save-section.ts';

/** Loaded when there is a limit: most integrations have none. */
const LimitFields = lazyPart(() => import('./limit-fields.tsx'));

/** Sets how many events per minute the integration accepts, and the status of the response beyond that. */
export function RateLimitSection({ webhook, may }: TabProps & { may: boolean }) {
  const { rateLimit } = webhook;
  return (
    <Section
      title="Rate limit"
      about="Keeps one source from filling the queue for all others. Counts the events of all API hosts."
    >
      {may ? (
        <RateLimitForm webhook={webhook} />
      ) : (
        <Text size="sm">{rateLimit ? `${rateLimit.eventsPerMinute} events per minute` : 'None'}</Text>
      )}
    </Section>
  );
}

function RateLimitForm({ webhook }: TabProps) {
  const { rateLimit } = webhook;
  const [isOn, setOn] = useState(rateLimit !== null);
  const [eventsPerMinute, setEvents] = useState<number | string>(rateLimit?.eventsPerMinute ?? 600);
  const [overLimitStatus, setStatus] = useState(rateLimit?.overLimitStatus ?? 503);
  const { save, replace, accept, theirs, isPending, isSuccess, error } = useSaveSection(webhook, limitOf);
  const wanted = isOn ? { eventsPerMinute: Number(eventsPerMinute), overLimitStatus } : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ rateLimit: wanted }, DONE);
  };
  const take = (newer: TabProps['webhook']) => {
    setOn(newer.rateLimit !== null);
    if (newer.rateLimit) setEvents(newer.rateLimit.eventsPerMinute);
    if (newer.rateLimit) setStatus(newer.rateLimit.overLimitStatus);
    accept(newer);
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <Switch
        label="Limit the rate of events"
        checked={isOn}
        onChange={({ currentTarget }) => setOn(currentTarget.checked)}
      />
      {isOn && (
        <OnDemand>
          <LimitFields
            placeholder={<Loading rows={4} />}
            eventsPerMinute={eventsPerMinute}
            onEvents={setEvents}
            overLimitStatus={overLimitStatus}
            onStatus={setStatus}
          />
        </OnDemand>
      )}
      <Overtaken
        theirs={theirs}
        describe={({ rateLimit }) => describe(rateLimit)}
        yours={describe(wanted)}
        take={take}
        keep={(newer) => replace(newer, { rateLimit: wanted }, DONE)}
      />
      <SaveRow
        isChanged={!isSame(wanted, rateLimit) && (wanted === null || wanted.eventsPerMinute >= 1)}
        isPending={isPending}
        isSaved={isSuccess}
        error={error}
      />
    </Stack>
  );
}

type Limit = TabProps['webhook']['rateLimit'];

const DONE = 'Saved the rate limit';
const limitOf = ({ rateLimit }: TabProps['webhook']) => rateLimit;
const describe = (limit: Limit): string =>
  limit ? `${limit.eventsPerMinute} events per minute, then status ${limit.overLimitStatus}` : 'No limit';

const isSame = (a: Limit, b: Limit): boolean =>
  a?.eventsPerMinute === b?.eventsPerMinute && a?.overLimitStatus === b?.overLimitStatus;
