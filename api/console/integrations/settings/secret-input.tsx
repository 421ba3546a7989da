import { Button, Group, PasswordInput } from '@mantine/core';
import { CopyButton } from '../../parts/values/copy.tsx';
import { newSecret } from '../test/event/sign-event.ts';
import styles from './settings.module.css';

interface SecretProps {
  secret: string;
  change: (secret: string) => void;
}

/** The secret that source and integration share: the source's own, or one made here. */
export const SecretInput = ({ secret, change }: SecretProps) => (
  <Group align="flex-end" gap="sm">
    <PasswordInput
      className={styles.secret}
      label="Secret"
      description="As the source shows it, or a new one to give to the source; 16 characters or more"
      autoComplete="off"
      spellCheck={false}
      required
      maxLength={200}
      value={secret}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the secret' }}
    />
    <Button variant="default" size="xs" onClick={() => change(newSecret())}>
      Make one
    </Button>
    <CopyButton text={secret} what="the secret" />
  </Group>
);
