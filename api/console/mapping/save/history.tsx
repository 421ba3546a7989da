import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { MappingRevision } from '../../http/types.ts';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { More } from '../../parts/lists/more.tsx';
import { usePages } from '../../parts/lists/use-pages.ts';
import { Ago } from '../../parts/values/ago.tsx';
import { Badge } from '../../parts/values/badge.tsx';
import { diffDrafts } from '../model/draft/diff.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { useRevision } from '../state/use-saved-mapping.ts';
import { DiffView } from './diff-view.tsx';
import styles from './save.module.css';
import { usePut } from './use-save.ts';

/** The list of all revisions. Each can be compared with the current one and restored. */
export function History({ close }: { close(): void }) {
  return (
    <Dialog onClose={close} title="Mapping history" size="xl">
      <Revisions close={close} />
    </Dialog>
  );
}

function Revisions({ close }: { close(): void }) {
  const { webhook } = useEditorContext();
  const pages = usePages<MappingRevision>(`/v2/webhooks/${webhook.id}/mapping/revisions`, {});
  if (pages.isPending) return <Loading rows={4} />;
  if (!pages.data) {
    return <Failure error={pages.error} title="Could not load the revisions" retry={pages.refetch} />;
  }
  return (
    <Stack gap={0}>
      {pages.rows.map((revision) => (
        <Revision key={revision.revision} revision={revision} close={close} />
      ))}
      <More {...pages} />
    </Stack>
  );
}

function Revision({
  revision: { revision, createdAt, current, savedBy },
  close,
}: {
  revision: MappingRevision;
  close(): void;
}) {
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.revision}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" component="div">
          <b>Revision {revision}</b> · <Ago at={createdAt} /> {savedBy && `by ${savedBy.name} `}
          {current && <Badge tone="good">current</Badge>}
        </Text>
        {!current && (
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={open}
            aria-label={
              open ? `Hide revision ${revision}` : `Compare revision ${revision} with the current revision`
            }
            onClick={() => setOpen(!open)}
          >
            {open ? 'Hide' : 'Compare'}
          </Button>
        )}
      </Group>
      {open && <OlderRevision revision={revision} close={close} />}
    </div>
  );
}

/** Shows what restoring a revision would change, and restores it. */
function OlderRevision({ revision, close }: { revision: number; close(): void }) {
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
