import { Select, Stack, Switch, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Webhook } from '../../http/types.ts';
import { SEVERITIES } from '../../mapping/model/draft/alert-fields.ts';
import { Overtaken, SaveRow } from '../../parts/saving/save-section.tsx';
import { Section } from '../../parts/section.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { useSaveSection } from './use-save-section.ts';

/** Sets whether events that no longer fit the mapping are alerts, and how severe. */
export function DriftSection({ webhook, may }: TabProps & { may: boolean }) {
  return (
    <Section
      title="Drift"
      about="Raises an alert when events no longer contain what the mapping reads, have a severity, status or mapped word that it does not know, or are of a new type."
    >
      {may ? <DriftForm webhook={webhook} /> : <Text size="sm">{describe(webhook.driftSeverity)}</Text>}
    </Section>
  );
}

function DriftForm({ webhook }: TabProps) {
  const [driftSeverity, setSeverity] = useState(webhook.driftSeverity);
  const { save, replace, accept, theirs, isPending, isSuccess, error } = useSaveSection(webhook, driftOf);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ driftSeverity }, DONE);
  };
  const take = (newer: Webhook) => {
    setSeverity(newer.driftSeverity);
    accept(newer);
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <Switch
        label="Compare events with the mapping"
        checked={driftSeverity !== null}
        onChange={({ currentTarget }) => setSeverity(currentTarget.checked ? 'warning' : null)}
      />
      {driftSeverity !== null && (
        <Select
          label="Severity of the alert"
          description="A new type of event is always an info."
          data={[...new Set([driftSeverity, ...SEVERITIES])]}
          value={driftSeverity}
          onChange={(severity) => setSeverity(severity ?? 'warning')}
          allowDeselect={false}
          maw="24rem"
        />
      )}
      <Overtaken
        theirs={theirs}
        describe={({ driftSeverity }) => describe(driftSeverity)}
        yours={describe(driftSeverity)}
        take={take}
        keep={(newer) => replace(newer, { driftSeverity }, DONE)}
      />
      <SaveRow
        isChanged={driftSeverity !== webhook.driftSeverity}
        isPending={isPending}
        isSaved={isSuccess}
        error={error}
      />
    </Stack>
  );
}

const DONE = 'Saved the comparison with the mapping';
const driftOf = ({ driftSeverity }: Webhook) => driftSeverity;
const describe = (severity: string | null): string =>
  severity === null ? 'No alerts' : `Alerts of severity ${severity}`;
