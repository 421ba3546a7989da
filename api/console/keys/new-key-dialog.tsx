import { Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../http/request.ts';
import type { ApiKey, One } from '../http/types.ts';
import { Dialog } from '../parts/feedback/dialog.tsx';
import { Failure } from '../parts/feedback/failure.tsx';
import { FormActions } from '../parts/feedback/form-actions.tsx';
import { inputErrors } from '../parts/input-errors.ts';
import { toInputError } from '../parts/values/message.tsx';
import { CreatedKey, type NewKey } from './created-key.tsx';
import { expiresAt, LIFETIMES } from './expiry.ts';
import { SCOPES } from './scopes.ts';

/** Creates a key, and then shows it once. */
export default function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<NewKey | null>(null);
  return (
    <Dialog
      onClose={onClose}
      title={created ? 'Key created' : 'New API key'}
      size="lg"
      centered
      // A click outside or Escape would lose the key.
      closeOnClickOutside={created === null}
      closeOnEscape={created === null}
    >
      {created ? (
        <CreatedKey created={created} onClose={onClose} />
      ) : (
        <KeyForm onCreated={setCreated} onClose={onClose} />
      )}
    </Dialog>
  );
}

function KeyForm({ onCreated, onClose }: { onCreated: (key: NewKey) => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>([]);
  const [days, setDays] = useState('90');
  const cache = useQueryClient();
  const creating = useMutation({
    mutationFn: () => createKey({ name, scopes, expiresAt: expiresAt(days, Date.now()) }),
    onSuccess: ({ data }) => {
      onCreated(data);
      void cache.invalidateQueries({ queryKey: ['/v2/keys'] });
    },
  });
  const errors = inputErrors(creating.error, ['name', 'scopes', 'expiresAt']);
  const create = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <form onSubmit={create} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description="The program or person that uses the key"
          value={name}
          maxLength={100}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={toInputError(errors.at('name'))}
          autoComplete="off"
          data-autofocus
        />
        <Checkbox.Group
          label="Scopes"
          value={scopes}
          onChange={setScopes}
          error={toInputError(errors.at('scopes'))}
        >
          <Stack gap="xs" mt={6}>
            {SCOPES.map(({ scope, allows }) => (
              <Checkbox key={scope} value={scope} label={scope} description={allows} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label="Expires"
          data={LIFETIMES}
          value={days}
          allowDeselect={false}
          onChange={(value) => setDays(value ?? '')}
          error={toInputError(errors.at('expiresAt'))}
        />
        {errors.hasOthers && <Failure error={creating.error} title="Could not create the key" />}
        <FormActions
          submit="Create key"
          cancel={onClose}
          isBusy={creating.isPending}
          isIncomplete={name.trim() === '' || scopes.length === 0}
        />
      </Stack>
    </form>
  );
}

const createKey = (json: { name: string; scopes: string[]; expiresAt: string | undefined }) =>
  requestJson<One<ApiKey & { key: string }>>('/v2/keys', { method: 'POST', json });
