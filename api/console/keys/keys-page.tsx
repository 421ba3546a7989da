import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../http/request.ts';
import type { ApiKey } from '../http/types.ts';
import { useCurrentKey, useMay } from '../http/use-current-key.ts';
import { announce } from '../parts/feedback/announce.tsx';
import { OnDemand } from '../parts/feedback/boundary.tsx';
import { Confirm } from '../parts/feedback/confirm.tsx';
import { NotFound } from '../parts/feedback/empty.tsx';
import { lazyPart } from '../parts/feedback/lazy-part.tsx';
import { Loading } from '../parts/feedback/loading.tsx';
import { LiveList } from '../parts/lists/live-list.tsx';
import { Table } from '../parts/lists/table.tsx';
import { useLivePages } from '../parts/lists/use-pages.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Ago } from '../parts/values/ago.tsx';
import { Badge } from '../parts/values/badge.tsx';
import { signOut } from '../session/session.ts';
import { keyState } from './expiry.ts';
import styles from './keys.module.css';

const REFRESH_MS = 15_000;

/** The page of API keys: scopes, last use and expiry. */
export default function KeysPage() {
  const { data: current } = useCurrentKey();
  const mayManage = useMay('admin');
  if (!current) return <Loading shape="table" />;
  if (!mayManage) return <NotFound />;
  return (
    <>
      <PageHead title="Keys" actions={<NewKeyButton />}>
        Create a separate key for each program and person, with only the scopes it needs.
      </PageHead>
      <Keys currentId={current.id} />
    </>
  );
}

function Keys({ currentId }: { currentId: string }) {
  const pages = useLivePages<ApiKey>('/v2/keys', {}, REFRESH_MS);
  return (
    <LiveList
      pages={pages}
      what="API keys"
      head={['Name', 'Scopes', 'Created', 'Last used', 'Expires', 'Actions']}
      row={(key) => <KeyRow key={key.id} apiKey={key} isCurrent={key.id === currentId} />}
      empty={null}
    />
  );
}

function KeyRow({ apiKey, isCurrent }: { apiKey: ApiKey; isCurrent: boolean }) {
  const state = keyState(apiKey, Date.now());
  return (
    <Table.Tr data-state={state} className={styles.row}>
      <Table.Td>
        <Group gap="xs">
          <Text fw={600} size="sm">
            {apiKey.name}
          </Text>
          {isCurrent && <Badge>current</Badge>}
          {state !== 'active' && <Badge tone="bad">{state}</Badge>}
        </Group>
      </Table.Td>
      <Table.Td>
        <Group gap={4} className={styles.scopes}>
          {apiKey.scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </Group>
      </Table.Td>
      <Table.Td>
        <Ago at={apiKey.createdAt} />
      </Table.Td>
      <Table.Td>{apiKey.lastUsedAt ? <Ago at={apiKey.lastUsedAt} /> : 'Never'}</Table.Td>
      <Table.Td>{apiKey.expiresAt ? <Ago at={apiKey.expiresAt} /> : 'Never'}</Table.Td>
      <Table.Td>
        {apiKey.revokedAt ? (
          <Text size="sm">
            Revoked <Ago at={apiKey.revokedAt} />
          </Text>
        ) : (
          <RevokeKey apiKey={apiKey} isCurrent={isCurrent} />
        )}
      </Table.Td>
    </Table.Tr>
  );
}

const NewKeyDialog = lazyPart(() => import('./new-key-dialog.tsx'));

/** A button that opens a dialog to create a key. */
function NewKeyButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
        New key
      </Button>
      <OnDemand>{isOpen && <NewKeyDialog onClose={() => setOpen(false)} />}</OnDemand>
    </>
  );
}

/** A button that revokes a key. Revoking the current key signs out. */
function RevokeKey({ apiKey, isCurrent }: { apiKey: ApiKey; isCurrent: boolean }) {
  const cache = useQueryClient();
  const revoke = async () => {
    await requestJson(`/v2/keys/${apiKey.id}`, { method: 'DELETE' });
    if (isCurrent) return signOut('You revoked the key that you were signed in with.');
    announce(`Revoked ${apiKey.name}`);
    await cache.invalidateQueries({ queryKey: ['/v2/keys'] });
  };
  return (
    <Confirm
      label="Revoke"
      aria-label={`Revoke ${apiKey.name}`}
      title={`Revoke ${apiKey.name}?`}
      onConfirm={revoke}
    >
      {isCurrent && (
        <p>
          <b>
            You are signed in with this key. Revoking it signs you out, and you need another key to sign in
            again.
          </b>
        </p>
      )}
      Requests with this key are rejected within 5 seconds. You cannot undo this, but you can create a new
      key.
    </Confirm>
  );
}
