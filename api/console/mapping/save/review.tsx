import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { AlertField } from '../../http/types.ts';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { ALERT_FIELDS } from '../model/draft/alert-fields.ts';
import { notDrawn } from '../model/draft/draft.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { ComparedEvents } from './compared-events.tsx';
import { DiffView } from './diff-view.tsx';
import { useSave } from './use-save.ts';

/** What was drawn, told against the saved revision, before it is saved. */
export function Review({ close }: { close(): void }) {
  const { base, draft, changes, lastEvents, fieldErrors } = useEditorContext();
  const { save, busy, error, overtakenBy } = useSave(close);
  return (
    <Dialog onClose={close} title="Review and save" size="xl">
      <Stack>
        {overtakenBy !== null && (
          <Alert color="yellow" title={`Revision ${overtakenBy} was saved meanwhile`} role="alert">
            Somebody else saved it. What is below is told against it now: saving puts your mapping in its
            place.
          </Alert>
        )}
        {fieldErrors.size > 0 && (
          <Alert color="red" title="Not everything is right yet">
            A mapping with a wrong template is not saved. What is wrong is said at its field.
          </Alert>
        )}
        <Text size="sm" c="dimmed">
          {base.revision === 0
            ? 'Events that come from now on are mapped with it.'
            : `Against revision ${base.revision}. Events that come from now on are mapped with the new one; alerts that are there stay as they are.`}
        </Text>
        <NotDrawn fields={notDrawn(draft)} />
        <DiffView changes={changes} />
        <ComparedEvents state={lastEvents} />
        {error !== null && <Failure error={error} title="The mapping was not saved" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Go on drawing
          </Button>
          <Button
            onClick={save}
            loading={busy}
            disabled={changes.length === 0 || fieldErrors.size > 0}
            data-autofocus
          >
            Save the mapping
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** It may be saved so: a mapping is often drawn in several goes. */
const NotDrawn = ({ fields }: { fields: AlertField[] }) =>
  fields.length > 0 && (
    <Alert color="yellow" title="Alerts will be incomplete">
      Nothing is drawn yet for {fields.map((name) => ALERT_FIELDS[name].label).join(', ')}.
    </Alert>
  );
