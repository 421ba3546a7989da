import { Alert, Anchor, Button, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CURRENT_KEY } from '../http/addresses.ts';
import { requestJson } from '../http/request.ts';
import { RequestFailure } from '../http/request-failure.ts';
import { Message, toInputError } from '../parts/values/message.tsx';
import { signIn } from '../session/session.ts';
import { useSession } from '../session/use-session.ts';
import { Logo } from './logo.tsx';
import styles from './sign-in.module.css';

/** The sign-in page, which asks for an API key. */
export function SignIn() {
  const { endedBecause } = useSession();
  const { error, busy, submit } = useSignIn();
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
          {endedBecause && !error && (
            <Alert color="yellow" title="You were signed out">
              <Message text={endedBecause} />
            </Alert>
          )}
          <PasswordInput
            label="API key"
            description="Kept in the open tabs of this browser and deleted when you close them."
            placeholder="mstr_…"
            autoComplete="off"
            spellCheck={false}
            value={key}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
            error={toInputError(error)}
            data-autofocus
          />
          <Button type="submit" loading={busy} disabled={key.trim() === ''}>
            Sign in
          </Button>
          <Text size="sm" c="dimmed">
            <code>npm start</code> prints a link that signs you in, and stores the first key in the file{' '}
            <code>api-key</code> of its data folder. Administrators create more keys under Keys or with{' '}
            <code>npm run keys</code>. Everything in the console is also available through the API. See the{' '}
            <Anchor href="/docs" underline="always">
              API documentation
            </Anchor>
            .
          </Text>
        </Stack>
      </Paper>
    </main>
  );
}

function useSignIn() {
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (key: string) => {
    setBusy(true);
    try {
      await requestJson(CURRENT_KEY, { headers: { authorization: `ApiKey ${key}` } });
      signIn(key);
    } catch (failure) {
      setError(failure instanceof RequestFailure ? failure.message : String(failure));
    } finally {
      setBusy(false);
    }
  };
  return { error, busy, submit };
}
