import { UnstyledButton } from '@mantine/core';
import { labelOf, type Target } from '../model/draft/alert-fields.ts';
import { fieldAt } from '../model/draft/draft.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './fields.module.css';

/** Switches a field between a template and an expression. The draft keeps the template. */
export function SourceSwitch({ target }: { target: Target }) {
  const { draft, dispatch, mayWrite } = useEditorContext();
  const isExpression = fieldAt(draft, target).expression !== undefined;
  if (!mayWrite) return null;
  const choose = (expression: string | undefined) =>
    dispatch({ type: 'change', target, change: { expression } });
  const option = (text: string, isChosen: boolean, onChoose: () => void) => (
    <UnstyledButton
      className={styles.option}
      data-set={isChosen}
      aria-pressed={isChosen}
      aria-label={`${text}, ${labelOf(target)}`}
      onClick={() => !isChosen && onChoose()}
    >
      {text}
    </UnstyledButton>
  );
  return (
    <>
      {option('Template', !isExpression, () => choose(undefined))}
      {option('Expression', isExpression, () => choose(''))}
    </>
  );
}
