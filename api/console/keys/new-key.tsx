import { Button, Checkbox, Group, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../http/request.ts';
import type { ApiKey, One } from '../http/types.ts';
import { Dialog } from '../parts/feedback/dialog.tsx';
import { Failure } from '../parts/feedback/failure.tsx';
import { inputErrors } from '../parts/input-errors.ts';
import { CreatedKey, type NewKey } from './created-key.tsx';
import { expiresAt, LIFETIMES } from './expiry.ts';
import { SCOPES } from './scopes.ts';

/** A button that makes a key, and then shows it, once. */
export function NewKeyButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
        New key
      </Button>
      {open && <NewKeyDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewKey | null>(null);
  return (
    <Dialog
      onClose={onClose}
      title={made ? 'The key is made' : 'New API key'}
      size="lg"
      centered
      // A key that is closed by a click beside it is lost.
      closeOnClickOutside={made === null}
      closeOnEscape={made === null}
    >
      {made ? <CreatedKey made={made} onClose={onClose} /> : <KeyForm onMade={setMade} onClose={onClose} />}
    </Dialog>
  );
}

function KeyForm({ onMade, onClose }: { onMade: (key: NewKey) => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>([]);
  const [days, setDays] = useState('90');
  const cache = useQueryClient();
  const making = useMutation({
    mutationFn: () => makeKey({ name, scopes, expiresAt: expiresAt(days, Date.now()) }),
    onSuccess: ({ data }) => {
      onMade(data);
      void cache.invalidateQueries({ queryKey: ['/v2/keys'] });
    },
  });
  const errors = inputErrors(making.error, ['name', 'scopes', 'expiresAt']);
  const make = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <form onSubmit={make} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description="Who or what uses it"
          value={name}
          maxLength={100}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={errors.at('name')}
          autoComplete="off"
          data-autofocus
        />
        <Checkbox.Group label="Scopes" value={scopes} onChange={setScopes} error={errors.at('scopes')}>
          <Stack gap="xs" mt={6}>
            {SCOPES.map(({ scope, opens }) => (
              <Checkbox key={scope} value={scope} label={scope} description={opens} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label="Expires"
          data={LIFETIMES}
          value={days}
          allowDeselect={false}
          onChange={(value) => setDays(value ?? '')}
          error={errors.at('expiresAt')}
        />
        {errors.hasOthers && <Failure error={making.error} title="No key was made" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={making.isPending}
            disabled={name.trim() === '' || scopes.length === 0}
          >
            Make the key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const makeKey = (json: { name: string; scopes: string[]; expiresAt: string | undefined }) =>
  requestJson<One<ApiKey & { key: string }>>('/v2/keys', { method: 'POST', json });
