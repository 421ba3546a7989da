import { Text } from '@mantine/core';
import { Failure } from '../../parts/feedback/failure.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { Section } from '../../parts/section.tsx';
import { useTableUsers } from '../use-table-users.ts';

/** Loaded with the first integration: the file that all lists load has what many pages import, such as the outcome of a job. */
const UserList = lazyPart(() => import('./user-list.tsx'));

/** The integrations whose mapping reads a table, each with the remap of its stored alerts. Nothing if the key must not see mappings. */
export function Users({ name }: { name: string }) {
  const { data, error, refetch, mayRead } = useTableUsers(name);
  if (!mayRead) return null;
  return (
    <Section
      id="integrations"
      title="Integrations"
      about="Those whose mapping reads the table. New events find a new revision at once. Stored alerts stay as they are until their events are mapped again: a dry run counts which would change, and writes nothing."
      wide
    >
      {!data && !error && <Loading rows={1} />}
      {error && <Failure error={error} title="Could not load the integrations" retry={refetch} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No mapping reads this table yet. Add a lookup to the mapping of an integration.
        </Text>
      )}
      {data && data.length > 0 && <UserList placeholder={<Loading rows={1} />} name={name} users={data} />}
    </Section>
  );
}
