import { Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Destination } from '../../http/types.ts';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { Facts } from '../../parts/facts.tsx';
import { inputErrors } from '../../parts/input-errors.ts';
import { Overtaken, SaveRow, useSaveEntry } from '../../parts/saving/save-section.tsx';
import { Section } from '../../parts/section.tsx';
import { counted, duration } from '../../text/quantities.ts';
import { DeliveryFields, DescriptionField, FIELDS, FilterFields, NameField } from '../fields/told-fields.tsx';
import { fromForm, isComplete, MODES, type ToldSettings, TYPES, toForm } from '../fields/told-settings.ts';
import { presetOf } from '../presets.ts';
import { destinationEntry } from '../use-destination.ts';

interface SectionProps {
  destination: Destination;
}

/** Sets who is told of what, and how. */
export function ToldSection({ destination }: SectionProps) {
  const [form, setForm] = useState(() => toForm(destination));
  const { save, replace, accept, theirs, isPending, isSuccess, error } = useSaveEntry(
    destinationEntry(destination.id),
    destination,
    toForm,
  );
  const describe = useDescription();
  const errors = inputErrors(error, FIELDS);
  const fields = {
    form,
    change: (some: Partial<ToldSettings>) => setForm({ ...form, ...some }),
    errors,
  };
  const json = fromForm(form);
  const isChanged = JSON.stringify(json) !== JSON.stringify(fromForm(toForm(destination)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(json, DONE);
  };
  const take = (newer: Destination) => {
    setForm(toForm(newer));
    accept(newer);
  };
  return (
    <Section
      title="Alerts"
      about="Which alerts it is told of, and how. Messages that wait are sent with the new settings."
    >
      <Stack component="form" onSubmit={submit}>
        <NameField {...fields} />
        <DescriptionField {...fields} />
        <FilterFields {...fields} />
        <DeliveryFields {...fields} hasDigest={presetOf(destination.preset)?.digestAbove !== undefined} />
        <Overtaken
          theirs={theirs}
          describe={(newer) => textOf(describe(toForm(newer)))}
          yours={textOf(describe(form))}
          take={take}
          keep={(newer) => replace(newer, json, DONE)}
        />
        <SaveRow
          isChanged={isChanged && isComplete(form)}
          isPending={isPending}
          isSaved={isSuccess}
          error={errors.hasOthers ? error : null}
        />
      </Stack>
    </Section>
  );
}

/** The settings, for a key that cannot change them. */
export function ToldFacts({ destination }: SectionProps) {
  const describe = useDescription();
  const { filter, body } = destination;
  return (
    <Section title="Alerts">
      <Facts
        facts={[
          ...describe(toForm(destination)),
          ['Filter', filter === null ? 'None' : <code key="filter">{filter}</code>],
          ...(body === null
            ? []
            : [['Body', <code key="body">{body.template ?? body.expression}</code>] as const]),
        ]}
      />
    </Section>
  );
}

const DONE = 'Saved the settings';

type Described = readonly (readonly [name: string, value: string])[];

const textOf = (facts: Described): string => facts.map(([name, value]) => `${name}: ${value}`).join('\n');

/** Returns a function that describes settings. */
function useDescription(): (form: ToldSettings) => Described {
  const { nameOf } = useWebhookNames();
  return (form) => [
    ['Name', form.name],
    ...(form.description ? [['Description', form.description] as const] : []),
    ['Integrations', form.webhookIds?.map(nameOf).join(', ') ?? 'All'],
    ['Severity at least', form.severityAtLeast ?? 'Any'],
    [
      'Told when an alert is',
      TYPES.filter(({ value }) => form.types.includes(value))
        .map(labelOf)
        .join(', ') || 'Never',
    ],
    ['If several messages about a key wait', MODES.find(({ value }) => value === form.mode)?.label ?? ''],
    ['A new alert waits', counted(Number(form.settleSeconds), 'second')],
    ['Told again of what still fires', repeatText(form.repeatEveryMinutes)],
    ['Messages a minute at most', form.ratePerMinute === '' ? 'Unlimited' : String(form.ratePerMinute)],
    ...(form.digestAbove === ''
      ? []
      : [['Messages that are sent one by one at most', String(form.digestAbove)] as const]),
  ];
}

const repeatText = (minutes: number | string): string =>
  minutes === '' ? 'Never' : `After ${duration(Number(minutes) * 60)}`;

const labelOf = ({ label }: { label: string }): string => label;
