import { Alert, Button, Group, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { announce } from '../parts/feedback/announce.tsx';
import { CopyText } from '../parts/values/copy.tsx';

/** The secret of a signature. This is the only time that it is shown. */
export function ShownSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  useEffect(() => announce('Copy the signing secret now: it is not shown again.'), []);
  return (
    <Stack>
      <Alert color="yellow" title="Copy the signing secret now">
        Your receiver verifies with it that a message comes from Muster. It is shown only once. If you lose
        it, rotate it.
      </Alert>
      <CopyText text={secret} what="the signing secret" />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
