import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { FormActions } from '../../parts/feedback/form-actions.tsx';
import { tableAddress } from '../use-table.ts';

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const RULE = 'Must be 1 to 64 of a-z, 0-9, _ and -, and start with a letter or digit.';

/** A dialog that asks for the name of a new table, and goes on with its upload. */
export default function NewTableDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [isTried, setTried] = useState(false);
  const [, navigate] = useLocation();
  const open = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (NAME.test(name)) navigate(`${tableAddress(name)}/upload`);
  };
  return (
    <Dialog onClose={onClose} title="New table" centered>
      <form onSubmit={open} noValidate>
        <Stack>
          <TextInput
            label="Name"
            description="Mappings name the table by it"
            placeholder="services"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={isTried && !NAME.test(name) && RULE}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <FormActions submit="Continue" cancel={onClose} isBusy={false} />
        </Stack>
      </form>
    </Dialog>
  );
}
