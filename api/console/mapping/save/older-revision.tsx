import { Button, Group, Stack, Text } from '@mantine/core';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { diffDrafts } from '../model/draft/diff.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { useRevision } from '../state/use-saved-mapping.ts';
import { DiffView } from './diff-view.tsx';
import { usePut } from './use-save.ts';

/** Shows what restoring a revision would change, and restores it. */
export function OlderRevision({ revision, close }: { revision: number; close(): void }) {
  const { webhook, base, mayWrite, count } = useEditorContext();
  const { data, error, refetch } = useRevision(webhook, revision);
  const put = usePut(close);
  if (error) return <Failure error={error} title="Could not load the revision" retry={refetch} />;
  if (!data) return <Loading rows={3} />;
  return (
    <Stack gap="sm" mt="sm">
      <Text size="sm" c="dimmed">
        Changes from revision {base.revision} to revision {revision}:
      </Text>
      <DiffView changes={diffDrafts(base.draft, data.draft)} />
      {put.error !== null && <Failure error={put.error} title="Could not restore the revision" />}
      {mayWrite && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            Restoring saves it as a new revision.{count > 0 && ' Your unsaved changes will be lost.'}
          </Text>
          <Button size="sm" loading={put.busy} onClick={() => put.run({ revision })}>
            Restore this revision
          </Button>
        </Group>
      )}
    </Stack>
  );
}
