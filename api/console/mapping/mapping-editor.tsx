import { Alert } from '@mantine/core';
import type { OpenTabProps } from '../integrations/webhook/tab-props.ts';
import { DriftNotice } from './drift/drift-notice.tsx';
import { AlertFields } from './fields/alert-fields.tsx';
import { FilterSection } from './filter/filter-section.tsx';
import { SelectionBar } from './insert/selection-bar.tsx';
import { LookupSection } from './lookups/lookup-section.tsx';
import styles from './mapping.module.css';
import { LastEvents } from './preview-panel/last-events.tsx';
import { PreviewCard } from './preview-panel/preview-card.tsx';
import { RemapBar } from './remap/remap-bar.tsx';
import { PayloadFields } from './sample/payload-fields.tsx';
import { Conflicts } from './save/conflicts.tsx';
import { LeaveGuard } from './save/leave-guard.tsx';
import { NewerRevision } from './save/newer-revision.tsx';
import { SaveBar } from './save/save-bar.tsx';
import { MergedEvents } from './series/merged-events.tsx';
import { EditorProvider } from './state/editor-context.tsx';
import type { Base } from './state/use-saved-mapping.ts';
import { Steps, useStep } from './steps.tsx';
import { Recognized } from './template/recognized.tsx';
import { useEditorState } from './use-editor-state.ts';
import { ValueMapDialog } from './value-map/value-map-dialog.tsx';

/** The mapping editor: payload fields on the left, alert fields in the middle, the preview on the right. */
export function MappingEditor({ webhook, bar, base }: OpenTabProps & { base: Base }) {
  const { editor, alertNumber, setAlertNumber, values, closeValues } = useEditorState(webhook, base);
  const [step, setStep] = useStep(base.revision === 0 ? 'payload' : 'fields', editor.selection.selected);
  return (
    <EditorProvider value={editor}>
      <SaveBar place={bar} />
      {!editor.mayWrite && <ReadOnly />}
      <NewerRevision />
      <Conflicts />
      <DriftNotice />
      <Recognized />
      <Steps step={step} choose={setStep} />
      <div className={styles.columns} data-step={step}>
        <PayloadFields />
        <div className={styles.middle}>
          <AlertFields />
          <LookupSection />
          <FilterSection />
        </div>
        <div className={styles.side}>
          <PreviewCard number={alertNumber} show={setAlertNumber} />
          <LastEvents />
          <MergedEvents />
        </div>
      </div>
      <RemapBar />
      <SelectionBar />
      {values && <ValueMapDialog {...values} close={closeValues} />}
      <LeaveGuard active={editor.count > 0} />
    </EditorProvider>
  );
}

const ReadOnly = () => (
  <Alert color="violet" title="This mapping is read-only" mb="md">
    Editing and previewing need a key with the scope webhooks:write. Sign in with one, or ask an
    administrator.
  </Alert>
);
