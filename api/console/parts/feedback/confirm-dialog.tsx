import { Button, type ButtonProps, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';

export interface ConfirmDialogProps {
  /** The text of the button, such as "Delete". */
  label: string;
  title: string;
  color?: ButtonProps['color'];
  /** What will happen, and whether the user can undo it. */
  children: ReactNode;
  /** A text that the user must type first, for the most destructive actions. */
  mustType?: string | undefined;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks for confirmation. Stays open during the action, because it shows whether the action succeeded. */
export default function ConfirmDialog(props: ConfirmDialogProps) {
  const { label, title, color = 'red', children, mustType, onConfirm, onClose } = props;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [typed, setTyped] = useState('');
  const isConfirmed = mustType === undefined || typed.trim() === mustType;
  const close = () => !busy && onClose();
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog onClose={close} title={title} centered>
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
          <Button color={color} loading={busy} disabled={!isConfirmed} onClick={confirm}>
            {label}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
