import { SegmentedControl } from '@mantine/core';
import { Failure } from '../../parts/feedback/failure.tsx';
import shared from '../mapping.module.css';
import { useEditorContext } from '../state/editor-context.tsx';
import { FieldTree } from '../tree/field-tree.tsx';
import { LatestEvent } from './latest-event.tsx';
import { PasteSample } from './paste.tsx';
import styles from './sample.module.css';
import type { Sample, SampleKind } from './use-sample.ts';

/** The fields of the sample payload, and the choice of the payload. */
export function PayloadFields() {
  const { mayWrite, sample } = useEditorContext();
  return (
    <section className={`${shared.card} ${styles.panel}`} aria-labelledby="payload-fields">
      <div className={shared.cardHead}>
        <h2 id="payload-fields" className={shared.cardTitle}>
          Payload fields
        </h2>
      </div>
      <div className={styles.content}>
        {mayWrite ? (
          <Fields sample={sample} />
        ) : (
          <p className={shared.note}>Payload fields need a key with the scope webhooks:write.</p>
        )}
      </div>
    </section>
  );
}

function Fields({ sample }: { sample: Sample }) {
  const { preview, mayReadEvents, webhook } = useEditorContext();
  return (
    <>
      <SampleSwitch sample={sample} />
      {sample.kind === 'sample' && webhook.template === null && (
        <p className={shared.note}>
          An example that Muster made up. Paste a payload of your source, or send an event.
        </p>
      )}
      {sample.kind === 'event' && mayReadEvents && <LatestEvent sample={sample} />}
      {sample.kind === 'event' && !mayReadEvents && (
        <p className={shared.note}>Stored events need a key with the scope alerts:read.</p>
      )}
      {sample.kind === 'paste' && <PasteSample paste={sample.paste} />}
      {preview.error !== null && sample.subject && (
        <Failure error={preview.error} title="Could not load the preview" retry={preview.reload} />
      )}
      <FieldTree hasSample={sample.subject !== null} />
    </>
  );
}

function SampleSwitch({ sample: { kind, choose } }: { sample: Sample }) {
  const { mayReadEvents, webhook } = useEditorContext();
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label="Payload source"
      value={kind}
      onChange={(next) => choose(next as SampleKind)}
      data={[
        { value: 'sample', label: webhook.template === null ? 'Example' : 'Sample' },
        { value: 'event', label: 'Latest event', disabled: !mayReadEvents && kind !== 'event' },
        { value: 'paste', label: 'Paste' },
      ]}
    />
  );
}
