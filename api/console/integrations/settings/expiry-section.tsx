import { Stack, Switch, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Webhook } from '../../http/types.ts';
import { Overtaken, SaveRow } from '../../parts/saving/save-section.tsx';
import { Section } from '../../parts/section.tsx';
import { WholeNumberInput } from '../../parts/whole-number-input.tsx';
import { duration } from '../../text/quantities.ts';
import type { TabProps } from '../webhook/tab-props.ts';
import { useTemplates } from '../webhook/use-templates.ts';
import { useSaveSection } from './use-save-section.ts';

const MINUTE_S = 60;
const MOST_MINUTES = 30 * 24 * 60;

/** Sets how long after its last event a firing alert is resolved. */
export function ExpirySection({ webhook, may }: TabProps & { may: boolean }) {
  return (
    <Section
      title="Expiry"
      about="Resolves an alert whose source has fallen silent, such as one that missed its recovery. Only for a source that repeats what still fires."
    >
      {may ? <ExpiryForm webhook={webhook} /> : <Text size="sm">{titleOf(webhook)}</Text>}
    </Section>
  );
}

function ExpiryForm({ webhook }: TabProps) {
  const [isOn, setOn] = useState(webhook.resolveAfterSeconds !== null);
  const repeatSeconds = useRepeatSeconds(webhook);
  const [chosen, setMinutes] = useState<number | string | null>(minutesOf(webhook));
  const minutes = chosen ?? proposedMinutes(repeatSeconds);
  const { save, replace, accept, theirs, isPending, isSuccess, error } = useSaveSection(webhook, expiryOf);
  const resolveAfterSeconds = isOn ? Number(minutes) * MINUTE_S : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ resolveAfterSeconds }, DONE);
  };
  const take = (newer: Webhook) => {
    setOn(newer.resolveAfterSeconds !== null);
    setMinutes(minutesOf(newer));
    accept(newer);
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <Switch
        label="Resolve an alert without events"
        description="Only time in which Muster accepted events counts."
        checked={isOn}
        onChange={({ currentTarget }) => setOn(currentTarget.checked)}
      />
      {isOn && (
        <WholeNumberInput
          label="Minutes without an event"
          description={
            repeatSeconds === null
              ? 'At least three times the interval at which the source repeats an alert'
              : `At least three times the interval at which the source repeats an alert. By default, this one does every ${duration(repeatSeconds)}`
          }
          min={1}
          max={MOST_MINUTES}
          value={minutes}
          onChange={setMinutes}
          maw="24rem"
        />
      )}
      <Overtaken
        theirs={theirs}
        describe={titleOf}
        yours={titleOf({ resolveAfterSeconds })}
        take={take}
        keep={(newer) => replace(newer, { resolveAfterSeconds }, DONE)}
      />
      <SaveRow
        isChanged={resolveAfterSeconds !== webhook.resolveAfterSeconds && resolveAfterSeconds !== 0}
        isPending={isPending}
        isSaved={isSuccess}
        error={error}
      />
    </Stack>
  );
}

/** Returns how often the source of the integration's template repeats what still fires; null if that is unknown. */
function useRepeatSeconds({ template }: Webhook): number | null {
  const { data: templates } = useTemplates();
  return templates?.find(({ name }) => name === template)?.repeatSeconds ?? null;
}

type Expiry = Pick<Webhook, 'resolveAfterSeconds'>;

const DONE = 'Saved the expiry';
const DEFAULT_MINUTES = 60;
/** One repetition may be late, and another one lost. */
const REPETITIONS = 3;
const proposedMinutes = (repeatSeconds: number | null): number =>
  repeatSeconds === null ? DEFAULT_MINUTES : (REPETITIONS * repeatSeconds) / MINUTE_S;
const expiryOf = ({ resolveAfterSeconds }: Expiry) => resolveAfterSeconds;
const minutesOf = ({ resolveAfterSeconds }: Expiry) =>
  resolveAfterSeconds === null ? null : Math.ceil(resolveAfterSeconds / MINUTE_S);
const titleOf = ({ resolveAfterSeconds }: Expiry) =>
  resolveAfterSeconds === null ? 'Never' : `${duration(resolveAfterSeconds)} after the last event`;
