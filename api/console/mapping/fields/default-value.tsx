import { Popover, Textarea, TextInput, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { toInputError } from '../../parts/values/message.tsx';
import { labelOf, type Target } from '../model/draft/alert-fields.ts';
import { fieldAt } from '../model/draft/draft.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './fields.module.css';

/** The value of a field whose template finds none. */
export function DefaultValue({ target }: { target: Target }) {
  const { draft, mayWrite } = useEditorContext();
  const [open, setOpen] = useState(false);
  const value = fieldAt(draft, target).default;
  if (!mayWrite && value === '') return null;
  const text = value === '' ? 'Set default' : `Default: ${value}`;
  return (
    <Popover opened={open} onChange={setOpen} trapFocus returnFocus position="bottom-start" withArrow>
      <Popover.Target>
        <UnstyledButton
          className={styles.option}
          data-set={value !== ''}
          onClick={() => setOpen(!open)}
          aria-label={`${text}, ${labelOf(target)}`}
        >
          {text}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={`Default for ${labelOf(target)}`}>
        <DefaultInput target={target} close={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function DefaultInput({ target, close }: { target: Target; close(): void }) {
  const { draft, dispatch, mayWrite, fieldErrors } = useEditorContext();
  const long = target === 'fields.description';
  const Input = long ? Textarea : TextInput;
  const error = fieldErrors.get(target)?.find(({ field }) => field === `${target}.default`);
  return (
    <Input
      label={`Default for ${labelOf(target)}`}
      description="Used when the template finds no value"
      value={fieldAt(draft, target).default}
      readOnly={!mayWrite}
      error={toInputError(error?.message)}
      w="16rem"
      data-autofocus
      onChange={({ currentTarget }: { currentTarget: { value: string } }) =>
        dispatch({ type: 'change', target, change: { default: currentTarget.value } })
      }
      onKeyDown={({ key }: KeyboardEvent) => {
        if (key === 'Enter' && !long) close();
      }}
    />
  );
}
