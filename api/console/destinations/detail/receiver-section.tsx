import { PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Destination } from '../../http/types.ts';
import { inputErrors } from '../../parts/input-errors.ts';
import { SaveRow } from '../../parts/saving/save-section.tsx';
import { Section } from '../../parts/section.tsx';
import { toInputError } from '../../parts/values/message.tsx';
import { presetOf } from '../presets.ts';
import { useChangeDestination } from '../use-destination.ts';

/** Replaces the URL, and the secret that its receiver needs. Neither is ever shown. */
export function ReceiverSection({ destination: { id, preset, host } }: { destination: Destination }) {
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const { mutate, isPending, isSuccess, error } = useChangeDestination(id);
  const { urlHint, secret: secretLabel } = presetOf(preset) ?? {};
  const json = {
    ...(url.trim() ? { url: url.trim() } : {}),
    ...(secret.trim() ? { secret: secret.trim() } : {}),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const clear = () => {
      setUrl('');
      setSecret('');
    };
    mutate({ method: 'PATCH', json, done: 'Replaced the URL' }, { onSuccess: clear });
  };
  const errors = inputErrors(error, ['url', 'secret']);
  return (
    <Section
      title="Receiver"
      about="The URL can be a secret, so only its host is shown. A new URL also resumes a destination that was stopped."
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label="New URL"
            description={urlHint}
            placeholder={`Now at ${host}`}
            type="url"
            maxLength={2_000}
            autoComplete="off"
            spellCheck={false}
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
            error={toInputError(errors.at('url'))}
          />
          {secretLabel && (
            <PasswordInput
              label={`New ${secretLabel.toLowerCase()}`}
              maxLength={500}
              autoComplete="off"
              value={secret}
              onChange={({ currentTarget }) => setSecret(currentTarget.value)}
              error={toInputError(errors.at('secret'))}
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
