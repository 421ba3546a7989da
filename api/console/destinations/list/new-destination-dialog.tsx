import { Button, NativeSelect, PasswordInput, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { requestJson } from '../../http/request.ts';
import { RequestFailure } from '../../http/request-failure.ts';
import type { Destination, One, PresetName } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { FormActions } from '../../parts/feedback/form-actions.tsx';
import { inputErrors } from '../../parts/input-errors.ts';
import { toInputError } from '../../parts/values/message.tsx';
import { DrawnFields } from '../drawn/drawn-fields.tsx';
import { fromDrawn, rehearsed, toDrawn } from '../drawn/drawn-form.ts';
import { LastDays } from '../drawn/last-days.tsx';
import { AddressField, addressesIn } from '../fields/address-field.tsx';
import { HeadersField, headersIn } from '../fields/headers-field.tsx';
import { DeliveryFields, DescriptionField, FIELDS, FilterFields, NameField } from '../fields/told-fields.tsx';
import { fromForm, isComplete, type ToldSettings, TYPES } from '../fields/told-settings.ts';
import { isPreset, PRESETS, type Preset } from '../presets.ts';
import { ShownSecret } from '../shown-secret.tsx';
import { DESTINATIONS } from '../use-destination.ts';

type NewDestination = Destination & { secret: string | null };

/** Creates a destination. Shows the secret of its signature once, and then opens its page. */
export default function NewDestinationDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<NewDestination | null>(null);
  const [, navigate] = useLocation();
  const open = ({ id }: Destination) => navigate(`/destinations/${id}`);
  return (
    <Dialog
      onClose={onClose}
      title={created ? 'Destination created' : 'New destination'}
      size="lg"
      centered={created !== null}
      // A click outside or Escape would lose the secret.
      closeOnClickOutside={created === null}
      closeOnEscape={created === null}
    >
      {created?.secret ? (
        <ShownSecret secret={created.secret} onClose={() => open(created)} />
      ) : (
        <DestinationForm
          onCreated={(destination) => (destination.secret ? setCreated(destination) : open(destination))}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

const NAMES = Object.keys(PRESETS).filter(isPreset);

interface FormProps {
  onCreated: (destination: NewDestination) => void;
  onClose: () => void;
}

function DestinationForm({ onCreated, onClose }: FormProps) {
  const [preset, setPreset] = useState<PresetName>('webhook');
  const { title, about, urlHint, secret: secretLabel, takesHeaders, isMail, digestAbove } = PRESETS[preset];
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [headers, setHeaders] = useState('');
  const [drawn, setDrawn] = useState(() => toDrawn({ filter: null, body: null }));
  const [form, setForm] = useState<ToldSettings>({ ...NEW, ...defaultsOf(PRESETS[preset]) });
  const [showsDelivery, setShowsDelivery] = useState(false);
  const change = (some: Partial<ToldSettings>) => setForm({ ...form, ...some });
  const choose = (name: string) => {
    if (!isPreset(name)) return;
    const next = PRESETS[name];
    setPreset(name);
    if (url === '' || url === PRESETS[preset].url || next.isMail !== isMail) setUrl(next.url ?? '');
    change(defaultsOf(next));
  };
  const cache = useQueryClient();
  const once = useSendOnce();
  const told = { ...fromForm(form), ...fromDrawn(drawn) };
  const settings = { ...told, preset, body: preset === 'webhook' ? told.body : null };
  const json = {
    ...settings,
    ...(isMail ? { recipients: addressesIn(url) } : { url: url.trim() }),
    ...(secretLabel ? { secret: secret.trim() } : {}),
    ...(takesHeaders && headers.trim() ? { headers: headersIn(headers, '') } : {}),
  };
  const creating = useMutation({
    mutationFn: () =>
      once(json, (key) =>
        requestJson<One<NewDestination>>(DESTINATIONS, {
          method: 'POST',
          json,
          headers: { 'idempotency-key': key },
        }),
      ),
    onSuccess: ({ data }) => {
      announce(`Created ${data.name}`);
      void cache.invalidateQueries({ queryKey: [DESTINATIONS] });
      onCreated(data);
    },
  });
  const errors = inputErrors(creating.error, [
    ...FIELDS,
    'url',
    'recipients',
    'secret',
    'headers',
    'filter',
    'body',
  ]);
  const fields = { form, change, errors };
  const create = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <form onSubmit={create} noValidate>
      <Stack>
        <NativeSelect
          label="Receiver"
          description={about}
          inputWrapperOrder={['label', 'input', 'description']}
          data={NAMES.map((value) => ({ value, label: PRESETS[value].title }))}
          value={preset}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data-autofocus
        />
        <NameField {...fields} />
        <AddressField
          label={isMail ? 'Recipients' : 'URL'}
          description={urlHint}
          required
          isMail={isMail}
          value={url}
          onChange={setUrl}
          error={toInputError(errors.at(isMail ? 'recipients' : 'url'))}
        />
        {secretLabel && (
          <PasswordInput
            label={secretLabel}
            description={`Of ${title}. It is stored encrypted and never shown.`}
            required
            maxLength={500}
            autoComplete="off"
            value={secret}
            onChange={({ currentTarget }) => setSecret(currentTarget.value)}
            error={toInputError(errors.at('secret'))}
          />
        )}
        <FilterFields {...fields} />
        {showsDelivery ? (
          <>
            <DeliveryFields {...fields} hasDigest={digestAbove !== undefined} />
            {takesHeaders && (
              <HeadersField text={headers} onChange={setHeaders} error={toInputError(errors.at('headers'))} />
            )}
            <DescriptionField {...fields} />
            <DrawnFields
              preset={preset}
              form={drawn}
              change={(some) => setDrawn((before) => ({ ...before, ...some }))}
              errors={creating.error instanceof RequestFailure ? creating.error.errors : []}
            />
            {isComplete({ ...form, name: 'any' }) && <LastDays settings={rehearsed(settings)} />}
          </>
        ) : (
          <Button
            variant="subtle"
            size="compact-sm"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => setShowsDelivery(true)}
          >
            More options
          </Button>
        )}
        {errors.hasOthers && <Failure error={creating.error} title="Could not create the destination" />}
        <FormActions
          submit="Create destination"
          cancel={onClose}
          isBusy={creating.isPending}
          isIncomplete={
            !isComplete(form) || url.trim() === '' || (secretLabel !== undefined && secret.trim() === '')
          }
        />
      </Stack>
    </form>
  );
}

/** Returns the settings that a preset needs. */
const defaultsOf = ({ mode, ratePerMinute, digestAbove }: Preset) => ({
  mode,
  ratePerMinute: ratePerMinute ?? '',
  digestAbove: digestAbove ?? '',
});

const NEW: Omit<ToldSettings, keyof ReturnType<typeof defaultsOf>> = {
  name: '',
  description: '',
  webhookIds: null,
  types: TYPES.map(({ value }) => value),
  severityAtLeast: null,
  settleSeconds: 0,
  repeatEveryMinutes: '',
};
