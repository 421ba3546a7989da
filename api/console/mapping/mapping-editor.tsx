import { Alert } from '@mantine/core';
import type { Webhook } from '../http/types.ts';
import { AlertFields } from './fields/alert-fields.tsx';
import { PickedBar } from './insert/picked-bar.tsx';
import styles from './mapping.module.css';
import { LastEvents } from './preview-panel/last-events.tsx';
import { PreviewCard } from './preview-panel/preview-card.tsx';
import { RemapBar } from './remap/remap-bar.tsx';
import { PayloadFields } from './sample/payload-fields.tsx';
import { LeaveGuard } from './save/leave-guard.tsx';
import { NewerRevision } from './save/newer-revision.tsx';
import { SaveBar } from './save/save-bar.tsx';
import { EditorProvider } from './state/editor-context.tsx';
import type { Base } from './state/use-saved-mapping.ts';
import { useEditorState } from './use-editor-state.ts';
import { ValueMap } from './value-map/value-map-dialog.tsx';

/** The page around a mapping that has been read. */
export function Workbench({ webhook, base }: { webhook: Webhook; base: Base }) {
  const { editor, sample, alertNumber, setAlertNumber, values, closeValues } = useEditorState(webhook, base);
  return (
    <EditorProvider value={editor}>
      <SaveBar />
      {!editor.mayWrite && <ReadOnly />}
      <NewerRevision />
      <div className={styles.columns}>
        <PayloadFields sample={sample} />
        <AlertFields />
        <div className={styles.side}>
          <PreviewCard number={alertNumber} show={setAlertNumber} />
          <LastEvents />
        </div>
      </div>
      <RemapBar />
      <PickedBar />
      {values && <ValueMap {...values} close={closeValues} />}
      <LeaveGuard active={editor.count > 0} />
    </EditorProvider>
  );
}

const ReadOnly = () => (
  <Alert color="violet" title="You can look at this mapping" mb="md">
    Drawing and trying it needs a key with the scope webhooks:write. Sign in with one, or ask an
    administrator.
  </Alert>
);
