import { Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Section } from '../../parts/section.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { SaveRow } from './save-row.tsx';
import { type Scheme, SchemeChoice } from './scheme-choice.tsx';
import { SecretInput } from './secret-input.tsx';
import { useChangeWebhook } from './use-change-webhook.ts';

/** The API takes no shorter one. */
const MIN_SECRET = 16;

/** Whether each event must be signed, and the secret that it is signed with. */
export function SignatureSection({ webhook, may }: TabProps & { may: boolean }) {
  return (
    <Section
      title="Signature"
      about="A source that signs proves that an event is its own. Any other is answered 401 and not stored."
    >
      {may ? (
        <SignatureForm webhook={webhook} />
      ) : (
        <Text size="sm">{webhook.signature ? `Checked: ${webhook.signature.scheme}` : 'Not checked'}</Text>
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
    mutate({ method: 'PATCH', json: { signature }, done: 'The signature is saved' });
  };
  return (
    <Stack component="form" onSubmit={save}>
      <SchemeChoice scheme={scheme} choose={setScheme} />
      {scheme !== null && <SecretInput secret={secret} change={setSecret} />}
      {isChanged && saved && (
        <Text size="sm" c="var(--warn)">
          It holds within 5 s of saving: events signed the old way are answered 401 from then on.
        </Text>
      )}
      <SaveRow
        isChanged={isChanged && (scheme === null || secret.length >= MIN_SECRET)}
        isPending={isPending}
        isSaved={isSuccess}
        error={error}
      />
    </Stack>
  );
}
