import { Button, Group, PasswordInput } from '@mantine/core';
import { CopyButton } from '../../parts/values/copy.tsx';
import { newSecret } from '../test/event/sign-event.ts';
import styles from './settings.module.css';

interface SecretProps {
  secret: string;
  change: (secret: string) => void;
}

/** The input for the secret that source and integration share. It can generate one. */
export const SecretInput = ({ secret, change }: SecretProps) => (
  <Group align="flex-end" gap="sm">
    <PasswordInput
      className={styles.secret}
      label="Secret"
      description="The secret that the source shows, or a new one to enter there. At least 16 characters."
      autoComplete="off"
      spellCheck={false}
      required
      maxLength={200}
      value={secret}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show secret' }}
    />
    <Button variant="default" size="xs" onClick={() => change(newSecret())}>
      Generate
    </Button>
    <CopyButton text={secret} what="the secret" />
  </Group>
);
