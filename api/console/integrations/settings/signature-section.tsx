import { Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Section } from '../../parts/section.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { SaveRow } from './save-row.tsx';
import { type Scheme, SchemeChoice } from './scheme-choice.tsx';
import { SecretInput } from './secret-input.tsx';
import { useChangeWebhook } from './use-change-webhook.ts';

/** The API rejects shorter secrets. In characters. */
const MIN_SECRET_LENGTH = 16;

/** Sets whether events must be signed, by which scheme and with which secret. */
export function SignatureSection({ webhook, may }: TabProps & { may: boolean }) {
  return (
    <Section
      title="Signature"
      about="A signature proves that an event comes from your source. Events without a valid one get a 401 response and are not stored."
    >
      {may ? (
        <SignatureForm webhook={webhook} />
      ) : (
        <Text size="sm">{webhook.signature ? `Required: ${webhook.signature.scheme}` : 'Not required'}</Text>
      )}
    </Section>
  );
}

function SignatureForm({ webhook }: TabProps) {
  const [scheme, setScheme] = useState<Scheme | null>(webhook.signature?.scheme ?? null);
  const [secret, setSecret] = useState(webhook.signature?.secret ?? '');
  const { mutate, isPending, isSuccess, error } = useChangeWebhook(webhook.id);
  const saved = webhook.signature;
  const isChanged =
    scheme !== (saved?.scheme ?? null) || (scheme !== null && secret !== (saved?.secret ?? ''));
  const save = (event: FormEvent) => {
    event.preventDefault();
    const signature = scheme === null ? null : { scheme, secret };
    mutate({ method: 'PATCH', json: { signature }, done: 'Saved the signature settings' });
  };
  return (
    <Stack component="form" onSubmit={save}>
      <SchemeChoice scheme={scheme} choose={setScheme} />
      {scheme !== null && <SecretInput secret={secret} change={setSecret} />}
      {isChanged && saved && (
        <Text size="sm" c="var(--warn)">
          Takes effect within 5 s of saving. From then on, events with the old signature get a 401 response.
        </Text>
      )}
      <SaveRow
        isChanged={isChanged && (scheme === null || secret.length >= MIN_SECRET_LENGTH)}
        isPending={isPending}
        isSaved={isSuccess}
        error={error}
      />
    </Stack>
  );
}
