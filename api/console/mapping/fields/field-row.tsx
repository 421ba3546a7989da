import { ActionIcon, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { DropHint } from '../insert/drop-hint.tsx';
import { InsertButton } from '../insert/insert-button.tsx';
import { useDropTarget } from '../insert/use-drop-target.ts';
import { isRequired, labelOf, type Target } from '../model/draft/alert-fields.ts';
import { nameError } from '../model/draft/custom-name.ts';
import { fieldAt, sourceOf } from '../model/draft/draft.ts';
import { isAppended } from '../model/draft/tags.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { FieldOptions } from './field-options.tsx';
import { FieldSource } from './field-source.tsx';
import styles from './fields.module.css';
import { MappingWarnings } from './mapping-warnings.tsx';
import { FieldResultLine } from './result-line.tsx';

/**
 * One alert field with its template or expression and its result. Payload fields can be dropped on it. `about` explains a field whose
 * label does not.
 */
export function FieldRow({ target, about }: { target: Target; about?: string }) {
  const { draft, mayWrite, selection, insertedText, cursorOf, brokenOf } = useEditorContext();
  const element = useRef<HTMLFieldSetElement>(null);
  const drop = useDropTarget(element, target);
  const appends = isAppended(sourceOf(fieldAt(draft, target)), cursorOf(target));
  const replaces = brokenOf(target);
  const label = labelOf(target);
  return (
    <fieldset ref={element} className={styles.row} data-dragging={drop.isDragging} aria-label={label}>
      <div className={styles.head} inert={selection.selected !== null}>
        {target.startsWith('custom.') && mayWrite ? (
          <CustomName name={label} />
        ) : (
          <span className={styles.label}>
            {label} {isRequired(target) && <Required />}
          </span>
        )}
        <FieldOptions target={target} />
      </div>
      <div className={styles.body}>
        {about && <p className={styles.about}>{about}</p>}
        <div className={styles.place}>
          <div inert={selection.selected !== null}>
            <FieldSource target={target} />
          </div>
          {selection.selected && (
            <InsertButton
              place={target}
              selected={selection.selected}
              appends={appends}
              replaces={replaces}
            />
          )}
          {drop.over && (
            <DropHint
              field={drop.over}
              text={insertedText(target, drop.over.path)}
              appends={appends}
              replaces={replaces}
            />
          )}
        </div>
        <FieldResultLine target={target} />
        <MappingWarnings place={target} />
      </div>
    </fieldset>
  );
}

const Required = () => (
  <span className={styles.required} title="required">
    *<span className={styles.hidden}> required</span>
  </span>
);

/** The editable name of a custom field, with a button that removes the field. */
function CustomName({ name }: { name: string }) {
  const { draft, dispatch } = useEditorContext();
  const [newName, setNewName] = useState(name);
  const others = draft.custom.map((one) => one.name).filter((one) => one !== name);
  const error = nameError(newName, others);
  const rename = () => {
    if (error === null && newName !== name) dispatch({ type: 'renameCustom', from: name, to: newName });
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') rename();
    if (key === 'Escape') setNewName(name);
  };
  const remove = () => {
    dispatch({ type: 'removeCustom', name });
    announce(`Removed custom field ${name}`);
  };
  return (
    <div className={styles.custom}>
      <TextInput
        size="xs"
        aria-label={`Name of custom field ${name}`}
        value={newName}
        onChange={({ currentTarget }) => setNewName(currentTarget.value)}
        onBlur={rename}
        onKeyDown={onKeyDown}
        error={error}
      />
      <ActionIcon variant="subtle" color="gray" onClick={remove} aria-label={`Remove custom field ${name}`}>
        <IconTrash size={16} />
      </ActionIcon>
    </div>
  );
}
