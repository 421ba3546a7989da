import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { TableUser } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { describeTableRemap } from '../../mapping/model/remap-text.ts';
import { RemapSteps } from '../../mapping/remap/remap-steps.tsx';
import { useRemap } from '../../mapping/remap/use-remap.ts';
import { useFirst } from '../../parts/lists/use-first.tsx';
import styles from './detail.module.css';

const STEP = 20;

/** The integrations that read a table, a few at a time: there may be thousands. */
export default function UserList({ name, users }: { name: string; users: readonly TableUser[] }) {
  const mayRemap = useMay('webhooks:write');
  const { first, more } = useFirst(users, STEP);
  return (
    <Stack gap="sm">
      <ul className={styles.users} aria-label={`Integrations that read ${name}`}>
        {first.map((user) => (
          <User key={user.id} user={user} mayRemap={mayRemap} />
        ))}
      </ul>
      {more}
      {!mayRemap && (
        <Text size="sm" c="dimmed">
          This key lacks the scope webhooks:write, so it cannot remap alerts.
        </Text>
      )}
    </Stack>
  );
}

/** An integration, its lookups that read the table, and the remap of all its events. */
function User({ user: { id, name, lookups }, mayRemap }: { user: TableUser; mayRemap: boolean }) {
  const remap = useRemap(id, describeTableRemap);
  return (
    <li className={styles.user} data-stage={remap.stage.name}>
      <div className={styles.userName}>
        <Anchor component={Link} href={`/integrations/${id}/mapping`} inherit fw={600}>
          <bdi>{name}</bdi>
        </Anchor>
        <Text size="sm" c="dimmed">
          {lookups.length === 1 ? 'Lookup' : 'Lookups'} {lookups.join(', ')}
        </Text>
      </div>
      {mayRemap && (
        <RemapSteps
          remap={remap}
          offer={
            <Button
              size="xs"
              variant="default"
              aria-label={`Start dry run of the remap of ${name}`}
              onClick={() => remap.run({ dryRun: true, onlyIncomplete: false })}
            >
              Start dry run
            </Button>
          }
        />
      )}
    </li>
  );
}
