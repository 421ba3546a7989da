import { Button, Group, NativeSelect, PasswordInput, Stack, Switch, Text } from '@mantine/core';
import type { SignaturePreset } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { GRACE_PERIODS } from '../../parts/saving/grace-periods.ts';
import { Overtaken, SaveRow } from '../../parts/saving/save-section.tsx';
import { Section } from '../../parts/section.tsx';
import { CopyButton } from '../../parts/values/copy.tsx';
import { newSecret } from '../test/event/sign-event.ts';
import type { TabProps } from '../webhook/tab-props.ts';
import { useSignaturePresets } from '../webhook/use-signature-presets.ts';
import { useTemplates } from '../webhook/use-templates.ts';
import { ObservedSignatures } from './observed-signatures.tsx';
import { type ParameterTexts, SchemeChoice, SchemeParameters } from './scheme.tsx';
import styles from './settings.module.css';
import { describeSignature, signatureOf, useSignatureForm } from './use-signature-form.ts';

/** Sets how events must be signed, rotates the secret, and shows how many events are signed. */
export function SignatureSection({ webhook, may }: TabProps & { may: boolean }) {
  const { data: presets, error, refetch } = useSignaturePresets();
  // The form proposes the scheme of the template. It would grow when that comes. Stays true, so that no reload discards what was entered.
  const { isFetched: isProposalKnown } = useTemplates();
  const scheme = webhook.signature?.scheme;
  const title = presets?.find(({ name }) => name === scheme)?.title ?? scheme;
  return (
    <Section
      title="Signature"
      about="A signature proves that an event comes from your source. Events without a valid one get a 401 response and are not stored."
    >
      <Stack>
        {error && <Failure error={error} title="Could not load the signature schemes" retry={refetch} />}
        {!may && <Text size="sm">{title ? `Required: ${title}` : 'Not required'}</Text>}
        {may &&
          (presets && isProposalKnown ? (
            <SignatureForm webhook={webhook} presets={presets} />
          ) : error ? null : (
            <Loading rows={5} />
          ))}
        {!may && <ObservedSignatures webhook={webhook} />}
      </Stack>
    </Section>
  );
}

function SignatureForm({ webhook, presets }: TabProps & { presets: readonly SignaturePreset[] }) {
  const form = useSignatureForm(webhook, presets);
  const { preset, section } = form;
  return (
    <Stack component="form" onSubmit={form.save}>
      {!preset && <ProposedScheme webhook={webhook} presets={presets} accept={form.accept} />}
      <SchemeChoice presets={presets} chosen={preset} choose={form.choose} />
      {preset && (
        <>
          <SchemeParameters preset={preset} texts={form.texts} change={form.changeParameter} />
          <SecretInput preset={preset} secret={form.secret} change={form.setSecret} />
          {form.isRotation && (
            <NativeSelect
              label="Previous secret expires"
              data={GRACE_PERIODS}
              value={form.grace}
              onChange={({ currentTarget }) => form.setGrace(currentTarget.value)}
              maw="14rem"
            />
          )}
          <Switch
            label="Observe only"
            description="Accept all events, and count those without a valid signature"
            checked={form.observes}
            onChange={({ currentTarget }) => form.setObserves(currentTarget.checked)}
          />
        </>
      )}
      {form.isChanged && webhook.signature && !form.isRotation && (
        <Text size="sm" c="var(--warn)">
          Takes effect within 5 s of saving. From then on, the source must send events as set here.
        </Text>
      )}
      <Overtaken
        theirs={section.theirs}
        describe={(newer) => describeSignature(signatureOf(newer), presets)}
        yours={form.description}
        take={form.take}
        keep={form.keep}
      />
      <SaveRow
        isChanged={form.isChanged && form.isComplete}
        isPending={section.isPending}
        isSaved={section.isSuccess}
        error={section.error}
      />
      <ObservedSignatures
        webhook={webhook}
        enforce={() => section.save({ signature: { mode: 'enforce' } }, 'The signature is enforced')}
        isPending={section.isPending}
      />
    </Stack>
  );
}

interface SecretProps {
  preset: SignaturePreset;
  secret: string;
  change: (secret: string) => void;
}

/** The input for the secret that source and integration share. It can generate one, except a public key. */
function SecretInput({ preset, secret, change }: SecretProps) {
  if (!preset.secret) return null;
  const isPublicKey = preset.family.includes('ed25519');
  return (
    <Group align="flex-end" gap="sm">
      <PasswordInput
        className={styles.secret}
        label={preset.secret.title}
        description={`${preset.secret.location}. At least 16 characters.`}
        autoComplete="off"
        spellCheck={false}
        required
        maxLength={200}
        value={secret}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show secret' }}
      />
      {!isPublicKey && (
        <Button variant="default" size="xs" onClick={() => change(newSecret())}>
          Generate
        </Button>
      )}
      <CopyButton text={secret} what="the secret" />
    </Group>
  );
}

interface ProposedProps extends TabProps {
  presets: readonly SignaturePreset[];
  accept: (scheme: string, parameters: ParameterTexts) => void;
}

/** Proposes the scheme of the integration's template, and says where to find the secret. */
function ProposedScheme({ webhook, presets, accept }: ProposedProps) {
  const { data: templates } = useTemplates();
  const template = templates?.find(({ name }) => name === webhook.template);
  const proposed = template?.signature;
  const preset = presets.find(({ name }) => name === proposed?.scheme);
  if (!template || !proposed || !preset) return null;
  return (
    <Group gap="sm">
      <Text size="sm" style={{ flex: 1 }}>
        {template.title} can send “{preset.title}”: {proposed.setup}.
      </Text>
      <Button variant="default" size="xs" onClick={() => accept(proposed.scheme, proposed.parameters)}>
        Use this scheme
      </Button>
    </Group>
  );
}
