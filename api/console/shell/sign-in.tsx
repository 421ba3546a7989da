import { Alert, Anchor, Button, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../http/request.ts';
import { RequestFailure } from '../http/request-failure.ts';
import { signIn, useSession } from '../session/session.ts';
import { Logo } from './logo.tsx';
import styles from './sign-in.module.css';

/** Signing in is pasting an API key. */
export function SignIn() {
  const { endedBecause } = useSession();
  const { fault, busy, submit } = useSignIn();
  const [key, setKey] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    void submit(key.trim());
  };
  return (
    <main className={styles.page}>
      <Paper component="form" onSubmit={send} withBorder p="xl" className={styles.card}>
        <Stack>
          <Logo />
          <Title order={1}>Sign in</Title>
          {endedBecause && !fault && (
            <Alert color="yellow" title="You were signed out">
              {endedBecause}
            </Alert>
          )}
          <PasswordInput
            label="API key"
            description="It stays in this tab and is forgotten when the tab is closed."
            placeholder="mstr_…"
            autoComplete="off"
            spellCheck={false}
            value={key}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
            error={fault}
            data-autofocus
          />
          <Button type="submit" loading={busy} disabled={key.trim() === ''}>
            Sign in
          </Button>
          <Text size="sm" c="dimmed">
            <b>npm start</b> prints a link that signs in, and keeps the first key in the file{' '}
            <code>api-key</code> of its data folder. An administrator makes further ones under Keys, or with{' '}
            <b>npm run keys</b>. All that is done here can be done by the API as well:{' '}
            <Anchor href="/docs" underline="always">
              its documentation
            </Anchor>
            .
          </Text>
        </Stack>
      </Paper>
    </main>
  );
}

function useSignIn() {
  const [fault, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (key: string) => {
    setBusy(true);
    try {
      await requestJson('/v2/keys/current', { headers: { authorization: `ApiKey ${key}` } });
      signIn(key);
    } catch (error) {
      setError(error instanceof RequestFailure ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return { fault, busy, submit };
}
