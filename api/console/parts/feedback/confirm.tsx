import { Button, type ButtonProps, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Failure } from './failure.tsx';

interface ConfirmProps extends ButtonProps {
  /** The text of the button, such as "Delete". */
  label: string;
  /** The accessible name, to tell several equal buttons apart. */
  'aria-label'?: string;
  title: string;
  /** What will happen, and whether the user can undo it. */
  children: ReactNode;
  /** A text that the user must type first, for the most destructive actions. */
  mustType?: string;
  onConfirm: () => Promise<unknown>;
}

/** A button for an action that cannot be undone. It opens a dialog that asks for confirmation and shows a failure. */
export function Confirm({ label, title, children, mustType, onConfirm, ...button }: ConfirmProps) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [typed, setTyped] = useState('');
  const isConfirmed = mustType === undefined || typed.trim() === mustType;
  // The dialog stays open during the action, because it shows whether the action succeeded.
  const close = () => !busy && setOpen(false);
  const reset = () => {
    setError(null);
    setTyped('');
  };
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      setOpen(false);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button variant="default" size="xs" {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal
        opened={open}
        onClose={close}
        onExitTransitionEnd={reset}
        title={title}
        lockScroll={false}
        centered
      >
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          {mustType !== undefined && (
            <TextInput
              label={`Type “${mustType}” to confirm`}
              autoComplete="off"
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
          {error !== null && <Failure error={error} title={`Could not complete “${label}”`} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button color={button.color ?? 'red'} loading={busy} disabled={!isConfirmed} onClick={confirm}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
