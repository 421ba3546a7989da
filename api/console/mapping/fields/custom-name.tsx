import { ActionIcon, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { nameError } from '../model/draft/custom-name.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './fields.module.css';

/** The editable name of a custom field, with a button that removes the field. */
export function CustomName({ name }: { name: string }) {
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
