import { UnstyledButton } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { Message } from '../../parts/values/message.tsx';
import { isRequired, labelOf, type Target } from '../model/draft/alert-fields.ts';
import { fieldAt, isMapped } from '../model/draft/draft.ts';
import { type Remedy, type ResultTone, toResultLine } from '../model/result-line.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { useUnknownSeverities } from '../state/use-unknown-severities.ts';
import styles from './fields.module.css';
import { useFieldResult } from './use-field-result.ts';

/** The result of a field, in the color of its state, with the reason and a fix. */
export function FieldResultLine({ target }: { target: Target }) {
  const { fieldErrors, draft, nodes, mayWrite, preview, isOfSample, isUntouched } = useEditorContext();
  const result = useFieldResult(target);
  const errors = fieldErrors.get(target);
  if (errors) {
    return (
      <Line tone="bad">
        <Message text={errors.map(({ message }) => message).join('; ')} />
      </Line>
    );
  }
  if (target === 'fields.status' && isMapped(draft, target) && !isMapped(draft, 'fields.dedupKey')) {
    return <Line tone="warn">No effect: the deduplication key is empty</Line>;
  }
  if (!result) return <Line tone="plain">{preview.isLoading && mayWrite ? '…' : 'No result'}</Line>;
  const line = toResultLine(result, {
    field: fieldAt(draft, target),
    required: isRequired(target),
    isStatus: target === 'fields.status',
    isSeverity: target === 'fields.severity',
    sampleOf: (path) => nodes.find((node) => node.path === path)?.sample,
  });
  const { isStale } = preview;
  const tone = isUntouched || isStale || !isOfSample ? 'plain' : line.tone;
  return (
    <Line tone={tone} remedy={line.remedy && <RemedyButton target={target} remedy={line.remedy} />}>
      {isStale && <span className={styles.reason}>Not checked since the last change: </span>}
      {line.value !== null && <span className={styles.value}>{line.value}</span>}{' '}
      <span className={styles.reason}>
        {line.reason.map((part, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: prose and payload values alternate
          <Fragment key={place}>{place % 2 === 1 ? <code>{part}</code> : part}</Fragment>
        ))}
      </span>
    </Line>
  );
}

interface LineProps {
  tone: ResultTone;
  remedy?: ReactNode;
  children: ReactNode;
}

const Line = ({ tone, remedy, children }: LineProps) => (
  <div className={styles.result} data-tone={tone}>
    <span className={styles.dot} aria-hidden="true" />
    <span className={styles.resultText}>{children}</span>
    {remedy}
  </div>
);

function RemedyButton({ target, remedy }: { target: Target; remedy: Remedy }) {
  const { dispatch, editValues, mayWrite } = useEditorContext();
  const unknown = useUnknownSeverities();
  if (!mayWrite) return null;
  const label = labelOf(target);
  if (remedy.kind === 'map') {
    const seen = target === 'fields.severity' ? unknown.map(({ severity }) => severity) : [];
    const values = [...new Set([remedy.value, ...seen])];
    return (
      <UnstyledButton className={styles.remedy} onClick={() => editValues(target, values)}>
        {values.length === 1 ? 'Map value' : `Map these ${values.length} seen values`}
      </UnstyledButton>
    );
  }
  const use = () => {
    if (remedy.expandJson) dispatch({ type: 'expandJson', path: remedy.expandJson });
    dispatch({ type: 'replacePath', target, path: remedy.path, by: remedy.nearest });
    announce(`${label} now uses ${remedy.nearest}`);
  };
  return (
    <UnstyledButton
      className={styles.remedy}
      onClick={use}
      aria-label={`Use it: ${remedy.nearest} in ${label}`}
    >
      Use it
    </UnstyledButton>
  );
}
