import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { useEditorContext } from '../state/editor-context.tsx';
import { type Base, readRevision } from '../state/use-saved-mapping.ts';

/** Says that somebody else has saved a revision since this page was opened, or since the draft was begun. */
export function NewerRevision() {
  const { webhook, base, begunOver, rebase, restart, count } = useEditorContext();
  const [error, setError] = useState<unknown>(null);
  const newest = webhook.mappingRevision;
  const goOn = (how: (next: Base) => void, said: string) => async () => {
    try {
      how(newest > base.revision ? await readRevision(webhook.id, newest) : base);
      announce(said);
      setError(null);
    } catch (failure) {
      setError(failure);
    }
  };
  if (newest <= base.revision && begunOver === null) return null;
  return (
    <Alert color="yellow" mb="md" title={`Revision ${newest} was saved meanwhile`} role="status">
      {count > 0
        ? `Your changes were drawn over revision ${begunOver ?? base.revision}. They are still here.`
        : 'This page shows the one before it.'}
      {error !== null && <Failure error={error} title="It could not be read" />}
      <Group gap="sm" mt="xs">
        <Button size="xs" variant="default" onClick={goOn(restart, `Revision ${newest} is shown`)}>
          {count > 0 ? `Drop mine, show revision ${newest}` : `Show revision ${newest}`}
        </Button>
        {count > 0 && (
          <Button
            size="xs"
            variant="default"
            onClick={goOn(rebase, `The changes are told against revision ${newest}`)}
          >
            Keep mine, compare with revision {newest}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
