import { Alert, Button, Group } from '@mantine/core';
import { announce } from '../../parts/feedback/announce.tsx';
import type { MappingChange, PartChange } from '../model/draft/diff.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './save.module.css';

/** Shows what somebody else saved meanwhile: what is merged already, and a choice for each place that both changed. */
export function Conflicts() {
  const { base, merged, resolve } = useEditorContext();
  if (!merged) return null;
  const { taken, conflicts } = merged;
  const by = base.savedBy ? `“${base.savedBy.name}”` : 'Somebody else';
  return (
    <Alert color="yellow" role="alert" title={`${by} has saved revision ${base.revision}`}>
      <p className={styles.note}>
        {taken.length > 0 && `Their changes to ${taken.join(', ')} are now in your draft. `}
        {conflicts.length > 0
          ? 'You both changed the fields below. Choose which version to save.'
          : 'Nothing that you changed conflicts with it.'}
      </p>
      {conflicts.map((conflict) => (
        <Conflict key={conflict.target} conflict={conflict} />
      ))}
      {conflicts.length > 1 && (
        <Group gap="xs" mt="xs">
          <Choice label="Take all theirs" choose={() => resolve(conflicts, 'theirs')} />
          <Choice label="Keep all mine" choose={() => resolve(conflicts, 'mine')} />
        </Group>
      )}
    </Alert>
  );
}

function Conflict({ conflict }: { conflict: MappingChange }) {
  const { resolve } = useEditorContext();
  const { label, parts } = conflict;
  const choose = (side: 'theirs' | 'mine') => () => {
    resolve([conflict], side);
    announce(side === 'theirs' ? `Took their ${label}` : `Kept your ${label}`);
  };
  return (
    <fieldset className={styles.conflict} aria-label={`Conflict: ${label}`}>
      <h3 className={styles.place}>{label}</h3>
      {parts.map((part) => (
        <Versions key={part.part} {...part} />
      ))}
      <Group gap="xs">
        <Choice label="Take theirs" of={label} choose={choose('theirs')} />
        <Choice label="Keep mine" of={label} choose={choose('mine')} />
      </Group>
    </fieldset>
  );
}

const Versions = ({ part, before, after }: PartChange) => (
  <div className={styles.part}>
    <span className={styles.partName}>{part}</span>
    <div className={styles.texts}>
      <span className={styles.version}>
        <b>Theirs</b> {before ?? 'empty'}
      </span>
      <span className={styles.version}>
        <b>Yours</b> {after ?? 'empty'}
      </span>
    </div>
  </div>
);

const Choice = ({ label, of, choose }: { label: string; of?: string; choose(): void }) => (
  <Button size="compact-sm" variant="default" aria-label={of && `${label}: ${of}`} onClick={choose}>
    {label}
  </Button>
);
