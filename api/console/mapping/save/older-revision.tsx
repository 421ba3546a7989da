import { Button, Group, Stack, Text } from '@mantine/core';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { diffDrafts } from '../model/draft/diff.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { useRevision } from '../state/use-saved-mapping.ts';
import { DiffView } from './diff-view.tsx';
import { usePut } from './use-save.ts';

/** What going back to a revision would change, and doing it. */
export function OlderRevision({ revision, close }: { revision: number; close(): void }) {
  const { webhook, base, mayWrite, count } = useEditorContext();
  const { data, error, refetch } = useRevision(webhook, revision);
  const put = usePut(close);
  if (error) return <Failure error={error} title="The revision could not be read" retry={refetch} />;
  if (!data) return <Loading rows={3} />;
  return (
    <Stack gap="sm" mt="sm">
      <Text size="sm" c="dimmed">
        What going back from revision {base.revision} would change:
      </Text>
      <DiffView changes={diffDrafts(base.draft, data.draft)} />
      {put.error !== null && <Failure error={put.error} title="It was not gone back to" />}
      {mayWrite && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            It is saved again as the newest.{count > 0 && ' The unsaved changes would be lost.'}
          </Text>
          <Button size="sm" loading={put.busy} onClick={() => put.run(async () => ({ revision }))}>
            Go back to this one
          </Button>
        </Group>
      )}
    </Stack>
  );
}
