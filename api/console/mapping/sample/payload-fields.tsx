import { Button, SegmentedControl, Textarea } from '@mantine/core';
import type { ClipboardEvent } from 'react';
import { Failure } from '../../parts/feedback/failure.tsx';
import { byteSize } from '../../text/quantities.ts';
import shared from '../mapping.module.css';
import { useEditorContext } from '../state/editor-context.tsx';
import { FieldTree } from '../tree/field-tree.tsx';
import { LatestEvent } from './latest-event.tsx';
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

/** A text area lays out all of its text, which takes a second for a megabyte. Of a longer text it only has the beginning. */
const LONG_TEXT = 50_000;
const SHOWN_OF_LONG_TEXT = 2_000;

/** An input for a payload to try the mapping on. */
function PasteSample({ paste: { text, error, change } }: Pick<Sample, 'paste'>) {
  const isLong = text.length > LONG_TEXT;
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (!isLong && pasted.length <= LONG_TEXT) return;
    event.preventDefault();
    change(pasted);
  };
  return (
    <div className={styles.source}>
      <Textarea
        className={styles.paste}
        label="Payload (JSON)"
        description={
          isLong
            ? `${byteSize(new Blob([text]).size)}. The beginning is shown; the whole payload is used.`
            : 'Kept in this tab only.'
        }
        placeholder='{"title": "…"}'
        rows={6}
        spellCheck={false}
        readOnly={isLong}
        value={isLong ? `${text.slice(0, SHOWN_OF_LONG_TEXT)}…` : text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        onPaste={onPaste}
        error={error && `Line ${error.line}, column ${error.column}: ${error.message}`}
      />
      {isLong && (
        <Button size="compact-xs" variant="default" onClick={() => change('')}>
          Remove payload
        </Button>
      )}
    </div>
  );
}
