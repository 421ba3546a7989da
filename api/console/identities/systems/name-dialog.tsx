import { Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ACCOUNT_SYSTEM_KINDS, kindOf } from '../../../../workers/text/account-system-kinds.ts';
import { requestJson } from '../../http/request.ts';
import type { AccountSystem, One } from '../../http/types.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { FormActions } from '../../parts/feedback/form-actions.tsx';
import { inputErrors } from '../../parts/input-errors.ts';
import { toInputError } from '../../parts/values/message.tsx';
import { ACCOUNT_SYSTEMS_PATH } from './use-account-systems.ts';

interface NameDialogProps {
  integrationId: string;
  /** Null: it has no name yet. */
  system: AccountSystem | null;
  onClose: () => void;
}

const KINDS = ACCOUNT_SYSTEM_KINDS.map(({ kind, title }) => ({ value: kind, label: title }));

/** A dialog that names an account system, with its kind and the page of an account. */
export default function NameDialog({ integrationId, system, onClose }: NameDialogProps) {
  const [name, setName] = useState(system?.name ?? '');
  const [kind, setKind] = useState(system?.kind ?? 'other');
  const [accountUrl, setAccountUrl] = useState(system?.accountUrl ?? '');
  // What is saved is a change of what the dialog showed, also if the page was reloaded meanwhile.
  const [revision] = useState(system?.revision ?? 0);
  const cache = useQueryClient();
  const saving = useMutation({
    mutationFn: () =>
      requestJson<One<AccountSystem>>(`${ACCOUNT_SYSTEMS_PATH}/${integrationId}`, {
        method: 'PUT',
        json: { name, kind, accountUrl: accountUrl.trim() || null, managedBy: system?.managedBy ?? null },
        headers: { 'if-match': `"${revision}"` },
      }),
    onSuccess: async ({ data }) => {
      await cache.invalidateQueries({ queryKey: [ACCOUNT_SYSTEMS_PATH] });
      announce(`Saved the name ${data.name}`);
      onClose();
    },
  });
  const errors = inputErrors(saving.error, ['name', 'kind', 'accountUrl']);
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  /** A kind brings its URL with it, unless somebody has entered another one. */
  const choose = (chosen: string | null) => {
    if (chosen === null) return;
    if (accountUrl === (kindOf(kind).accountUrl ?? '')) setAccountUrl(kindOf(chosen).accountUrl ?? '');
    setKind(chosen);
  };
  return (
    <Dialog onClose={onClose} title={`Name account system ${integrationId}`} centered>
      <form onSubmit={save} noValidate>
        <Stack>
          <TextInput
            label="Name"
            value={name}
            maxLength={100}
            error={toInputError(errors.at('name'))}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Select
            label="Kind"
            data={KINDS}
            value={kind}
            allowDeselect={false}
            error={toInputError(errors.at('kind'))}
            onChange={choose}
          />
          <TextInput
            label="Page of an account"
            description="A URL with {identity} in place of the account. Leave it empty if there is none."
            placeholder={kindOf(kind).example ?? kindOf(kind).accountUrl ?? ''}
            value={accountUrl}
            maxLength={500}
            error={toInputError(errors.at('accountUrl'))}
            onChange={({ currentTarget }) => setAccountUrl(currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
          />
          {errors.hasOthers && <Failure error={saving.error} title="Could not save the name" />}
          <FormActions submit="Save" cancel={onClose} isBusy={saving.isPending} />
        </Stack>
      </form>
    </Dialog>
  );
}
