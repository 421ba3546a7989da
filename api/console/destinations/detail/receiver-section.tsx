import { PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Destination } from '../../http/types.ts';
import { inputErrors } from '../../parts/input-errors.ts';
import { SaveRow } from '../../parts/saving/save-section.tsx';
import { Section } from '../../parts/section.tsx';
import { toInputError } from '../../parts/values/message.tsx';
import { AddressField, addressesIn } from '../fields/address-field.tsx';
import { HeadersField, headersIn } from '../fields/headers-field.tsx';
import { presetOf } from '../presets.ts';
import { useChangeDestination } from '../use-destination.ts';

/** Replaces the URL, the secret that its receiver needs, and headers. None of them is ever shown. */
export function ReceiverSection({
  destination: { id, preset, host, recipients, headerNames },
}: {
  destination: Destination;
}) {
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [headers, setHeaders] = useState('');
  const { mutate, isPending, isSuccess, error } = useChangeDestination(id);
  const { urlHint, secret: secretLabel, takesHeaders, isMail } = presetOf(preset) ?? {};
  const json = {
    ...(url.trim() ? (isMail ? { recipients: addressesIn(url) } : { url: url.trim() }) : {}),
    ...(secret.trim() ? { secret: secret.trim() } : {}),
    ...(headers.trim() ? { headers: headersIn(headers, null) } : {}),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const clear = () => {
      setUrl('');
      setSecret('');
      setHeaders('');
    };
    mutate({ method: 'PATCH', json, done: 'Saved the receiver' }, { onSuccess: clear });
  };
  const errors = inputErrors(error, ['url', 'recipients', 'secret', 'headers']);
  return (
    <Section
      title="Receiver"
      about={
        isMail
          ? 'New recipients also resume a destination that was stopped.'
          : 'The URL can be a secret, so only its host is shown. A new URL also resumes a destination that was stopped.'
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <AddressField
            label={isMail ? 'New recipients' : 'New URL'}
            description={isMail ? `Instead of ${recipients?.join(', ') ?? host}` : urlHint}
            {...(isMail ? {} : { placeholder: `Now at ${host}` })}
            isMail={isMail}
            value={url}
            onChange={setUrl}
            error={toInputError(errors.at(isMail ? 'recipients' : 'url'))}
          />
          {secretLabel && (
            <PasswordInput
              label={`New ${secretLabel.toLowerCase()}`}
              description="A URL of another host needs it again"
              maxLength={500}
              autoComplete="off"
              value={secret}
              onChange={({ currentTarget }) => setSecret(currentTarget.value)}
              error={toInputError(errors.at('secret'))}
            />
          )}
          {takesHeaders && (
            <HeadersField
              text={headers}
              onChange={setHeaders}
              known={headerNames}
              error={toInputError(errors.at('headers'))}
            />
          )}
          <SaveRow
            isChanged={Object.keys(json).length > 0}
            isPending={isPending}
            isSaved={isSuccess}
            error={errors.hasOthers ? error : null}
          />
        </Stack>
      </form>
    </Section>
  );
}
