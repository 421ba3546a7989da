import { Anchor, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { LookupRevision, LookupTable } from '../../http/types.ts';
import { useChange } from '../../http/use-change.ts';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { More } from '../../parts/lists/more.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { usePages } from '../../parts/lists/use-pages.ts';
import { Section } from '../../parts/section.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { Badge } from '../../parts/values/badge.tsx';
import { wholeNumber } from '../../text/quantities.ts';
import { tableEntry } from '../use-table.ts';

interface RevisionsProps {
  name: string;
  mayRevert: boolean;
}

/** The revisions of a table that are kept, the newest first. An earlier one can become the active one again. */
export function Revisions({ name, mayRevert }: RevisionsProps) {
  const path = `${tableEntry(name).path}/revisions`;
  const revisions = usePages<LookupRevision>(path, {});
  const head = ['Revision', 'Rows', 'Uploaded', 'API key', 'Job', ...(mayRevert ? ['Actions'] : [])];
  return (
    <Section
      title="Revisions"
      about="The last revisions are kept. Each is active as a whole or not at all."
      wide
    >
      {revisions.isPending && <Loading shape="table" />}
      {revisions.error && (
        <Failure error={revisions.error} title="Could not load the revisions" retry={revisions.refetch} />
      )}
      {revisions.rows.length > 0 && (
        <DataTable label={`Revisions of ${name}`} head={head}>
          {revisions.rows.map((revision) => (
            <Row key={revision.revision} name={name} revision={revision} mayRevert={mayRevert} />
          ))}
        </DataTable>
      )}
      <More {...revisions} />
    </Section>
  );
}

const Row = ({ name, revision, mayRevert }: RevisionsProps & { revision: LookupRevision }) => (
  <Table.Tr>
    <Table.Td>
      <Group gap="xs">
        {wholeNumber(revision.revision)}
        {revision.current && <Badge tone="good">active</Badge>}
      </Group>
    </Table.Td>
    <Table.Td>{wholeNumber(revision.rowCount)}</Table.Td>
    <Table.Td>
      <Ago at={revision.createdAt} />
    </Table.Td>
    <Table.Td>
      <bdi>{revision.savedBy?.name}</bdi>
    </Table.Td>
    <Table.Td>
      <Anchor
        component={Link}
        href={`/jobs/${revision.jobId}`}
        size="sm"
        aria-label={`View job of revision ${revision.revision}`}
      >
        View job
      </Anchor>
    </Table.Td>
    {mayRevert && (
      <Table.Td>{!revision.current && <RevertButton name={name} revision={revision.revision} />}</Table.Td>
    )}
  </Table.Tr>
);

function RevertButton({ name, revision }: { name: string; revision: number }) {
  const cache = useQueryClient();
  const change = useChange<LookupTable>(tableEntry(name));
  const revert = async () => {
    const done = `Revision ${revision} of ${name} is active`;
    await change.mutateAsync({ method: 'POST', path: '/revert', json: { revision }, done });
    const { path } = tableEntry(name);
    for (const part of ['rows', 'revisions', 'misses'])
      void cache.invalidateQueries({ queryKey: [`${path}/${part}`] });
  };
  return (
    <Confirm
      label="Revert"
      size="compact-sm"
      fw={500}
      aria-label={`Revert to revision ${revision}`}
      title={`Revert to revision ${revision}?`}
      onConfirm={revert}
    >
      Lookups find the rows of this revision from now on. Stored alerts stay as they are until their events
      are mapped again.
    </Confirm>
  );
}
