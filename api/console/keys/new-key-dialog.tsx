import { Alert, Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { requestJson } from '../http/request.ts';
import type { ApiKey, One, Scope } from '../http/types.ts';
import { announce } from '../parts/feedback/announce.tsx';
import { Dialog } from '../parts/feedback/dialog.tsx';
import { Failure } from '../parts/feedback/failure.tsx';
import { FormActions } from '../parts/feedback/form-actions.tsx';
import { inputErrors } from '../parts/input-errors.ts';
import { CopyText } from '../parts/values/copy.tsx';
import { toInputError } from '../parts/values/message.tsx';
import { expiresAt, LIFETIMES } from './expiry.ts';

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

type NewKey = ApiKey & { key: string };

/** The secret of a new key. This is the only time that it is shown. */
function CreatedKey({ created, onClose }: { created: NewKey; onClose: () => void }) {
  useEffect(() => announce('Key created. Copy it now: it is not shown again.'), []);
  return (
    <Stack>
      <Alert color="yellow" title="Copy the key now">
        The key is shown only once, and Muster keeps no copy. If you lose it, create another key and revoke
        this one.
      </Alert>
      <CopyText text={created.key} what="the key" />
      <Text size="sm">
        Scopes of <b>{created.name}</b>: {created.scopes.join(', ')}
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}

/** What each scope allows, in display order. */
const SCOPES: readonly { scope: Scope; allows: string }[] = [
  { scope: 'developer_records:read', allows: 'Search and export identities, view their jobs.' },
  { scope: 'developer_records:write', allows: 'Upload, change and remove identities, stop and retry jobs.' },
  {
    scope: 'developer_records:approve',
    allows: 'With developer_records:write: apply plans of other keys that remove many accounts.',
  },
  { scope: 'webhooks:read', allows: 'View integrations and their mappings, with masked URLs.' },
  {
    scope: 'webhooks:write',
    allows: 'Create and change integrations and mappings, view URLs, remap events.',
  },
  {
    scope: 'webhooks:write:all',
    allows: 'With webhooks:write: change and delete templates that other keys saved.',
  },
  { scope: 'alerts:read', allows: 'View alerts and events with their payloads, and the Health page.' },
  { scope: 'alerts:write', allows: 'Resolve alerts, and take that back.' },
  { scope: 'destinations:read', allows: 'View destinations, and what they were told.' },
  { scope: 'destinations:write', allows: 'Create, change, test and delete destinations.' },
  { scope: 'destinations:replay', allows: 'Send messages again that were given up.' },
  { scope: 'tables:read', allows: 'View and download lookup tables.' },
  { scope: 'tables:write', allows: 'Upload, revert and delete lookup tables.' },
  { scope: 'audit:read', allows: 'View and download the audit log: who changed what.' },
  { scope: 'admin', allows: 'Create and revoke API keys, view health and queues.' },
];
