import { Stack, Switch, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Webhook } from '../../http/types.ts';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { Overtaken, SaveRow } from '../../parts/saving/save-section.tsx';
import { Section } from '../../parts/section.tsx';
import { duration } from '../../text/quantities.ts';
import type { TabProps } from '../webhook/tab-props.ts';
import type { SilenceRule } from './silence-fields.tsx';
import { useSaveSection } from './use-save-section.ts';

/** Loaded when there is a rule: most integrations have none. */
const SilenceFields = lazyPart(() => import('./silence-fields.tsx'));

/** Sets after how long without an event an integration is silent. */
export function SilenceSection({ webhook, may }: TabProps & { may: boolean }) {
  return (
    <Section
      title="Silence"
      about="Raises an alert if no event comes for too long: a source that is broken, or events that are all rejected or filtered."
    >
      {may ? <SilenceForm webhook={webhook} /> : <Text size="sm">{titleOf(webhook)}</Text>}
    </Section>
  );
}

function SilenceForm({ webhook }: TabProps) {
  const [isOn, setOn] = useState(webhook.silence !== null);
  const [rule, setRule] = useState<SilenceRule>(webhook.silence ?? DEFAULT);
  const { save, replace, accept, theirs, isPending, isSuccess, error } = useSaveSection(webhook, ruleOf);
  const silence = isOn ? rule : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ silence }, DONE);
  };
  const take = (newer: Webhook) => {
    setOn(newer.silence !== null);
    setRule(newer.silence ?? DEFAULT);
    accept(newer);
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <Switch
        label="Raise an alert without events"
        description="Only time in which Muster accepted events counts. The next event resolves it."
        checked={isOn}
        onChange={({ currentTarget }) => setOn(currentTarget.checked)}
      />
      {isOn && (
        <OnDemand>
          <SilenceFields
            placeholder={<Loading rows={4} />}
            webhookId={webhook.id}
            rule={rule}
            change={setRule}
          />
        </OnDemand>
      )}
      <Overtaken
        theirs={theirs}
        describe={titleOf}
        yours={titleOf({ silence })}
        take={take}
        keep={(newer) => replace(newer, { silence }, DONE)}
      />
      <SaveRow
        isChanged={JSON.stringify(silence) !== JSON.stringify(webhook.silence)}
        isPending={isPending}
        isSaved={isSuccess}
        error={error}
      />
    </Stack>
  );
}

type Silence = Pick<Webhook, 'silence'>;

const DONE = 'Saved the rule of silence';
const DEFAULT: SilenceRule = { afterSeconds: 3_600, severity: 'error', schedule: null };
const ruleOf = ({ silence }: Silence) => silence;
const titleOf = ({ silence }: Silence): string =>
  silence === null
    ? 'Never'
    : `After ${duration(silence.afterSeconds)} without an event${silence.schedule ? ' in its hours' : ''}`;
