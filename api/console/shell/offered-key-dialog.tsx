import { Button, Group, Stack, Text } from '@mantine/core';
import { useCurrentKey } from '../http/use-current-key.ts';
import { Dialog } from '../parts/feedback/dialog.tsx';
import { declineKey } from '../session/offered-key.ts';
import { signIn } from '../session/session.ts';

/** Asks before a link's API key replaces the one that the user is signed in with. */
export default function OfferedKeyDialog({ offered }: { offered: string }) {
  const { data: key } = useCurrentKey();
  return (
    <Dialog title="Switch to another API key?" onClose={declineKey} centered>
      <Stack>
        <Text size="sm">
          The link you opened contains a different API key from the one you are signed in with
          {key ? ` (${key.name})` : ''}. If you switch, the console shows what the other key may see, and
          saves your changes with it. Switch only if you trust the source of the link.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => signIn(offered)}>
            Switch key
          </Button>
          <Button onClick={declineKey} data-autofocus>
            Stay signed in
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
