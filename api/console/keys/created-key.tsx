import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { ApiKey } from '../http/types.ts';
import { announce } from '../parts/feedback/announce.tsx';
import { CopyText } from '../parts/values/copy.tsx';

export type NewKey = ApiKey & { key: string };

/** The secret of a new key. This is the only time that it is shown. */
export function CreatedKey({ created, onClose }: { created: NewKey; onClose: () => void }) {
  useEffect(() => announce('Key created. Copy it now: it is not shown again.'), []);
  return (
    <Stack>
      <Alert color="yellow" title="Copy the key now">
        The key is shown only once, and Muster keeps no copy. If you lose it, create another key and revoke
        this one.
      </Alert>
      <CopyText text={created.key} what="the key" />
      <Text size="sm">
        Scopes of <b>{created.name}</b>: {created.scopes.join(', ')}
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
