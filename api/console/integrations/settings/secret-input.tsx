import { Button, Group, PasswordInput } from '@mantine/core';
import type { SignaturePreset } from '../../http/types.ts';
import { CopyButton } from '../../parts/values/copy.tsx';
import { newSecret } from '../test/event/sign-event.ts';
import styles from './settings.module.css';

interface SecretProps {
  preset: SignaturePreset;
  secret: string;
  change: (secret: string) => void;
}

/** The input for the secret that source and integration share. It can generate one, except a public key. */
export function SecretInput({ preset, secret, change }: SecretProps) {
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
