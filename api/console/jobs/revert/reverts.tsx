import { Anchor, Group, List } from '@mantine/core';
import { Link } from 'wouter';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { describeCounts } from '../job-counts.ts';
import { useReverts } from './use-revert.ts';

/** The reverts of a job, newest first. Renders nothing if there are none. */
export function Reverts({ id }: { id: string }) {
  const { data: reverts, error, refetch } = useReverts(id, true);
  if (error) return <Failure error={error} title="Could not load the reverts of this job" retry={refetch} />;
  if (!reverts || reverts.length === 0) return null;
  return (
    <List size="sm" listStyleType="none" aria-label="Reverts of this job">
      {reverts.map((revert) => (
        <List.Item key={revert.id}>
          <Group gap="xs">
            <Anchor component={Link} href={`/jobs/${revert.id}`} size="sm">
              Reverted <Ago at={revert.createdAt} />
            </Anchor>
            <StateBadge state={revert.state} />
            {describeCounts(revert)}
          </Group>
        </List.Item>
      ))}
    </List>
  );
}
