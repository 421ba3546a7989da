import { Checkbox, MultiSelect, NativeSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { OWN_INTEGRATION } from '../../integrations/webhook/own-integration.ts';
import { useWebhookNames, webhookOptions } from '../../integrations/webhook/use-webhook-names.ts';
import { SEVERITIES } from '../../mapping/model/draft/alert-fields.ts';
import type { inputErrors } from '../../parts/input-errors.ts';
import { toInputError } from '../../parts/values/message.tsx';
import { WholeNumberInput } from '../../parts/whole-number-input.tsx';
import { MODES, type ToldSettings, TYPES } from './told-settings.ts';

/** The names of the inputs in the API. */
export const FIELDS = [
  'name',
  'description',
  'webhookIds',
  'types',
  'severityAtLeast',
  'mode',
  'settleSeconds',
  'ratePerMinute',
  'repeatEveryMinutes',
  'digestAbove',
] as const;

interface FieldsProps {
  form: ToldSettings;
  change: (some: Partial<ToldSettings>) => void;
  errors: ReturnType<typeof inputErrors<(typeof FIELDS)[number]>>;
}

/** The input for the name of a destination. */
export const NameField = ({ form, change, errors }: FieldsProps) => (
  <TextInput
    label="Name"
    description="For example the team or the channel that is told"
    required
    maxLength={100}
    autoComplete="off"
    value={form.name}
    onChange={({ currentTarget }) => change({ name: currentTarget.value })}
    error={toInputError(errors.at('name'))}
  />
);

/** The input for the description of a destination. */
export const DescriptionField = ({ form, change, errors }: FieldsProps) => (
  <Textarea
    label="Description"
    autosize
    minRows={1}
    maxLength={1_000}
    value={form.description}
    onChange={({ currentTarget }) => change({ description: currentTarget.value })}
    error={toInputError(errors.at('description'))}
  />
);

/** The inputs that choose the alerts of which a destination is told. */
export const FilterFields = ({ form, change, errors }: FieldsProps) => (
  <>
    <IntegrationFields form={form} change={change} errors={errors} />
    <NativeSelect
      label="Severity at least"
      description="Once told of an alert, it hears of it until the end, also if the alert becomes less severe."
      data={[
        { value: '', label: 'Any severity' },
        ...SEVERITIES.map((value) => ({ value, label: value === 'critical' ? value : `${value} or worse` })),
      ]}
      value={form.severityAtLeast ?? ''}
      onChange={({ currentTarget: { value } }) =>
        change({ severityAtLeast: SEVERITIES.find((severity) => severity === value) ?? null })
      }
      error={toInputError(errors.at('severityAtLeast'))}
    />
    <Checkbox.Group
      label="Told when an alert is"
      description="Who is not told that it fires hears neither of its changes nor of its end. None: a webhook is told only of jobs that name it as their callback."
      value={form.types}
      onChange={(values) =>
        change({ types: TYPES.map(({ value }) => value).filter((type) => values.includes(type)) })
      }
      error={toInputError(errors.at('types'))}
    >
      <Stack gap="xs" mt={6}>
        {TYPES.map(({ value, label, description }) => (
          <Checkbox key={value} value={value} label={label} description={description} />
        ))}
      </Stack>
    </Checkbox.Group>
  </>
);

function IntegrationFields({ form: { webhookIds }, change, errors }: FieldsProps) {
  const names = useWebhookNames();
  return (
    <>
      <Switch
        label="All integrations"
        description="Also those that are created later"
        checked={webhookIds === null}
        onChange={({ currentTarget }) => change({ webhookIds: currentTarget.checked ? null : [] })}
      />
      {webhookIds !== null && (
        <MultiSelect
          label="Integrations"
          data={webhookOptions(names, [OWN_INTEGRATION.id, ...webhookIds])}
          value={webhookIds}
          onChange={(ids) => change({ webhookIds: ids })}
          searchable
          placeholder={webhookIds.length === 0 ? 'Choose at least one' : undefined}
          nothingFoundMessage="No such integration"
          maxDropdownHeight={240}
          error={toInputError(errors.at('webhookIds'))}
        />
      )}
    </>
  );
}

/** The inputs for how messages are sent. `hasDigest`: whether the preset can send several messages as one. */
export const DeliveryFields = ({ form, change, errors, hasDigest }: FieldsProps & { hasDigest: boolean }) => (
  <>
    <NativeSelect
      label="If several messages about a key wait"
      data={MODES.map(({ value, label }) => ({ value, label }))}
      value={form.mode}
      onChange={({ currentTarget }) =>
        change({ mode: MODES.find(({ value }) => value === currentTarget.value)?.value ?? 'every' })
      }
      error={toInputError(errors.at('mode'))}
    />
    <WholeNumberInput
      label="Seconds that a new alert waits"
      description="If it is over by then, nothing is sent."
      min={0}
      max={3_600}
      value={form.settleSeconds}
      onChange={(settleSeconds) => change({ settleSeconds })}
      error={toInputError(errors.at('settleSeconds'))}
    />
    <WholeNumberInput
      label="Minutes until it is told again"
      description="Of an alert that still fires. Empty: never"
      min={1}
      max={7 * 24 * 60}
      value={form.repeatEveryMinutes}
      onChange={(repeatEveryMinutes) => change({ repeatEveryMinutes })}
      error={toInputError(errors.at('repeatEveryMinutes'))}
    />
    <WholeNumberInput
      label="Messages a minute at most"
      description="Empty: unlimited"
      min={1}
      max={60_000}
      value={form.ratePerMinute}
      onChange={(ratePerMinute) => change({ ratePerMinute })}
      error={toInputError(errors.at('ratePerMinute'))}
    />
    {hasDigest && (
      <WholeNumberInput
        label="Messages that are sent one by one at most"
        description="If more are due, they are sent as one, with counts and the first 10 alerts. Empty: never"
        min={1}
        max={100}
        value={form.digestAbove}
        onChange={(digestAbove) => change({ digestAbove })}
        error={toInputError(errors.at('digestAbove'))}
      />
    )}
  </>
);
