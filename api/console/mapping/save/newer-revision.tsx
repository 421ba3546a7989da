import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { useEditorContext } from '../state/editor-context.tsx';
import { type Base, readRevision } from '../state/use-saved-mapping.ts';

/** Tells the user that a newer revision was saved since the page was opened or the draft was started. */
export function NewerRevision() {
  const { webhook, base, startedFrom, merge, restart, count } = useEditorContext();
  const [error, setError] = useState<unknown>(null);
  const newest = webhook.mappingRevision;
  const continueWith = (use: (next: Base) => void | Promise<void>, announcement: string) => async () => {
    try {
      await use(newest > base.revision ? await readRevision(webhook.id, newest) : base);
      announce(announcement);
      setError(null);
    } catch (failure) {
      setError(failure);
    }
  };
  const mergeInto = async (next: Base) =>
    merge(next, startedFrom === null ? base : await readRevision(webhook.id, startedFrom));
  if (newest <= base.revision && startedFrom === null) return null;
  return (
    <Alert color="yellow" mb="md" title={`Revision ${newest} is now the latest`} role="status">
      {count > 0
        ? `You started your changes from revision ${startedFrom ?? base.revision}. They are still here.`
        : `This page shows revision ${base.revision}.`}
      {error !== null && <Failure error={error} title="Could not load the revision" />}
      <Group gap="sm" mt="xs">
        <Button size="xs" variant="default" onClick={continueWith(restart, `Showing revision ${newest}`)}>
          {count > 0 ? `Discard my changes and show revision ${newest}` : `Show revision ${newest}`}
        </Button>
        {count > 0 && (
          <Button
            size="xs"
            variant="default"
            onClick={continueWith(mergeInto, `Comparing with revision ${newest}`)}
          >
            Keep my changes and compare with revision {newest}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
