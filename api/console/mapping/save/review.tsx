import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { RequestFailure } from '../../http/request-failure.ts';
import type { AlertField } from '../../http/types.ts';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { describeComparison, sharedChanges } from '../model/comparison-text.ts';
import { ALERT_FIELDS, labelOf, targetOfResult } from '../model/draft/alert-fields.ts';
import { unmappedRequired } from '../model/draft/draft.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import type { Merged } from '../state/use-draft.ts';
import type { PreviewState } from '../state/use-preview.ts';
import { Conflicts } from './conflicts.tsx';
import { DiffView } from './diff-view.tsx';
import styles from './save.module.css';
import { useSave } from './use-save.ts';

/** Shows the changes to the saved revision before they are saved. */
export function Review({ close }: { close(): void }) {
  const { base, draft, changes, lastEvents, fieldErrors, merged } = useEditorContext();
  const { save, busy, error } = useSave(close);
  const dropsAll = error instanceof RequestFailure && error.code === 'filter_drops_all';
  return (
    <Dialog onClose={close} title="Review and save" size="xl">
      <Stack>
        <Conflicts />
        {fieldErrors.size > 0 && (
          <Alert color="red" title="Some fields have errors">
            A mapping with errors cannot be saved. Each error is shown at its field.
          </Alert>
        )}
        <Text size="sm" c="dimmed">
          {base.revision === 0
            ? 'New events will be mapped with this mapping.'
            : `Changes to revision ${base.revision}. New events will be mapped with the new revision. Existing alerts do not change.`}
        </Text>
        <UnmappedRequired fields={unmappedRequired(draft)} />
        <DiffView changes={changes} />
        <ComparedEvents state={lastEvents} />
        {dropsAll && (
          <Alert color="yellow" title="The filter drops everything" role="alert">
            {error.message.split('. ')[0]}. If you save it, new events like these create no alerts.
          </Alert>
        )}
        {error !== null && !dropsAll && <Failure error={error} title="Could not save the mapping" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Keep editing
          </Button>
          <Button
            onClick={() => save(dropsAll)}
            loading={busy}
            disabled={changes.length === 0 || fieldErrors.size > 0 || hasConflicts(merged)}
            data-autofocus
          >
            {dropsAll ? 'Save anyway' : 'Save revision'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

const hasConflicts = (merged: Merged | null): boolean => (merged?.conflicts.length ?? 0) > 0;

/** Warns about required fields without a template. Saving is still allowed: a mapping is often built in several steps. */
const UnmappedRequired = ({ fields }: { fields: AlertField[] }) =>
  fields.length > 0 && (
    <Alert color="yellow" title="Alerts will be incomplete">
      Required fields without a template or default:{' '}
      {fields.map((name) => ALERT_FIELDS[name].label).join(', ')}.
    </Alert>
  );

const SHOWN = 5;

/** Shows how the draft would change the alerts of the newest stored events. */
function ComparedEvents({ state: { preview, isLoading } }: { state: PreviewState }) {
  const comparison = preview?.comparison ?? [];
  if (comparison.length === 0) return null;
  const changes = sharedChanges(comparison);
  return (
    <section aria-label="Last events" aria-busy={isLoading}>
      <p className={styles.same}>{describeComparison(comparison)}</p>
      {changes.slice(0, SHOWN).map(({ field, before, after, count }) => (
        <div key={`${field}\n${before}\n${after}`} className={styles.part}>
          <span className={styles.partName}>
            {labelOf(targetOfResult(field))} {count > 1 && `×${count}`}
          </span>
          <div className={styles.texts}>
            <del className={styles.before}>{before ?? 'empty'}</del>
            <ins className={styles.after}>{after ?? 'empty'}</ins>
          </div>
        </div>
      ))}
      {changes.length > SHOWN && <p className={styles.same}>and {changes.length - SHOWN} more</p>}
    </section>
  );
}
