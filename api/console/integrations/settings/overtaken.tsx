import { Alert, Button, Group } from '@mantine/core';
import type { Webhook } from '../../http/types.ts';
import styles from './settings.module.css';

interface OvertakenProps {
  /** The integration as somebody else has saved it; null if nobody has. */
  theirs: Webhook | null;
  /** Describes the section of an integration, and what the form has. */
  describe(webhook: Webhook): string;
  yours: string;
  take(theirs: Webhook): void;
  keep(theirs: Webhook): void;
}

/** Shows what somebody else saved in this section while the form was open. Nothing was overwritten. */
export function Overtaken({ theirs, describe, yours, take, keep }: OvertakenProps) {
  if (theirs === null) return null;
  const by = theirs.savedBy ? `“${theirs.savedBy.name}”` : 'Somebody else';
  return (
    <Alert color="yellow" role="alert" title={`${by} has changed this meanwhile`}>
      <dl className={styles.versions}>
        <dt>Theirs</dt>
        <dd>{describe(theirs)}</dd>
        <dt>Yours</dt>
        <dd>{yours}</dd>
      </dl>
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" variant="default" onClick={() => take(theirs)}>
          Take theirs
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => keep(theirs)}>
          Keep mine
        </Button>
      </Group>
    </Alert>
  );
}
