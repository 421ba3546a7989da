import { Button, Group, Text } from '@mantine/core';
import type { AuditEntry } from '../http/types.ts';
import { Facts } from '../parts/facts.tsx';
import { Dialog } from '../parts/feedback/dialog.tsx';
import { useFullTime } from '../settings/time-zone.ts';
import styles from './audit.module.css';
import { ACTORS, actionName, nameOfObject, objectName } from './audit-names.ts';
import type { AuditFilters } from './use-audit-filters.ts';

interface EntryProps {
  entry: AuditEntry;
  change: AuditFilters['change'];
  onClose: () => void;
}

/** Everything that an entry tells: who, from where, and each changed member before and after. */
export default function EntryDialog({ entry, change, onClose }: EntryProps) {
  const fullTime = useFullTime();
  const { at, actor, action, object, requestId, address } = entry;
  const only = (filters: Parameters<typeof change>[0]) => {
    change(filters, { isStep: true });
    onClose();
  };
  return (
    <Dialog onClose={onClose} title={actionName(action)} size="xl">
      <Facts
        facts={[
          ['When', fullTime(at)],
          ['Who', <bdi key="who">{`${actor.name} (${ACTORS[actor.kind]})`}</bdi>],
          ['On what', <bdi key="what">{`${objectName(object.kind)} ${nameOfObject(entry)}`}</bdi>],
          ['Request', requestId ?? 'none'],
          ['Address', address ?? 'not stored'],
        ]}
      />
      <Members entry={entry} />
      <Group mt="md" gap="xs">
        {actor.id !== null && (
          <Button variant="default" onClick={() => only({ actorId: [actor.id ?? ''] })}>
            Show what this {ACTORS[actor.kind]} changed
          </Button>
        )}
        {object.id !== null && (
          <Button
            variant="default"
            onClick={() => only({ objectKind: [object.kind], objectId: [object.id ?? ''] })}
          >
            Show all changes of it
          </Button>
        )}
      </Group>
    </Dialog>
  );
}

function Members({ entry: { before, after } }: { entry: AuditEntry }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return <Text mt="md">The entry names no members.</Text>;
  return (
    <dl className={styles.members}>
      {names.map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          {before && <dd data-side="Before">{shown(before[name])}</dd>}
          {after && <dd data-side="After">{shown(after[name])}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** Returns a value as a person reads it: text as it is, anything else as JSON. */
function shown(value: unknown): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'string') return value === '' ? '(empty)' : value;
  return JSON.stringify(value, null, 1);
}
