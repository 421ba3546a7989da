import { Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { FormActions } from '../../parts/feedback/form-actions.tsx';
import { inputErrors } from '../../parts/input-errors.ts';
import { toInputError } from '../../parts/values/message.tsx';
import { AccountSystemInput } from '../systems/account-system-input.tsx';
import { useWriteRecord } from './use-write-record.ts';
import { type RecordText, setOwner } from './write-record.ts';

interface RecordDialogProps {
  /** The identity whose owner changes; null to add one. */
  record: RecordText | null;
  onClose: () => void;
}

const EMPTY: RecordText = { email: '', integrationId: '', identity: '' };

/** A dialog that changes the owner of an account, or adds an account. */
export default function RecordDialog({ record, onClose }: RecordDialogProps) {
  const [text, setText] = useState(record ?? EMPTY);
  const write = useWriteRecord();
  const saving = useMutation({
    mutationFn: () => write(text, (key) => setOwner(text, key), text.email.trim().toLowerCase()),
    onSuccess: onClose,
  });
  const errors = inputErrors(saving.error, ['email', 'integrationId', 'identity']);
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  const input = (name: keyof RecordText) => ({
    value: text[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setText({ ...text, [name]: currentTarget.value }),
    error: toInputError(errors.at(name)),
    required: true,
    withAsterisk: false,
    autoComplete: 'off',
    spellCheck: false,
  });
  return (
    <Dialog onClose={onClose} title={record ? 'Change owner' : 'Add identity'} centered>
      <form onSubmit={save} noValidate>
        <Stack>
          <AccountSystemInput
            label="Account system ID"
            readOnly={record !== null}
            {...input('integrationId')}
            onValue={(integrationId) => setText({ ...text, integrationId })}
            data-autofocus={record ? undefined : true}
          />
          <TextInput
            label="Identity"
            description="Account name in the account system"
            readOnly={record !== null}
            {...input('identity')}
          />
          <TextInput
            label="Owner email"
            type="email"
            {...input('email')}
            data-autofocus={record ? true : undefined}
          />
          {errors.hasOthers && <Failure error={saving.error} title="Could not save the identity" />}
          <FormActions submit="Save" cancel={onClose} isBusy={saving.isPending} />
        </Stack>
      </form>
    </Dialog>
  );
}
