import { Button, type ButtonProps, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Failure } from './failure.tsx';

interface ConfirmProps extends ButtonProps {
  /** What the button says: "Delete". */
  label: string;
  /** The same with what it is about, where several stand together. */
  'aria-label'?: string;
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** What has to be typed first, for what would be missed most. */
  mustType?: string;
  onConfirm: () => Promise<unknown>;
}

/** A button for what cannot be taken back: it asks first, and shows a failure where it was asked. */
export function Confirm({ label, title, children, mustType, onConfirm, ...button }: ConfirmProps) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [typed, setTyped] = useState('');
  const isFree = mustType === undefined || typed.trim() === mustType;
  // While it is done, whether it was done must still be said here.
  const close = () => !busy && setOpen(false);
  const forget = () => {
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
        onExitTransitionEnd={forget}
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
              label={`Type “${mustType}” to go on`}
              autoComplete="off"
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
          {error !== null && <Failure error={error} title="This could not be done" />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button color={button.color ?? 'red'} loading={busy} disabled={!isFree} onClick={confirm}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
