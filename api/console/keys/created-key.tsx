import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { ApiKey } from '../http/types.ts';
import { announce } from '../parts/feedback/announce.tsx';
import { CopyText } from '../parts/values/copy.tsx';

export type NewKey = ApiKey & { key: string };

/** The text of a new key: this is the only time that it is shown. */
export function CreatedKey({ made, onClose }: { made: NewKey; onClose: () => void }) {
  useEffect(() => announce('The key is made. Copy it now: it is not shown again.'), []);
  return (
    <Stack>
      <Alert color="yellow" title="Copy it now">
        It is shown this once. Muster keeps no copy: if it is lost, make another key and revoke this one.
      </Alert>
      <CopyText text={made.key} what="the key" />
      <Text size="sm">
        <b>{made.name}</b> may: {made.scopes.join(', ')}.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>I have it</Button>
      </Group>
    </Stack>
  );
}
