import { Group, Text } from '@mantine/core';
import type { ApiKey } from '../http/types.ts';
import { useCurrentKey, useMay } from '../http/use-current-key.ts';
import { Loading } from '../parts/feedback/loading.tsx';
import { NotFound } from '../parts/feedback/not-found.tsx';
import { LiveList } from '../parts/lists/live-list.tsx';
import { Table } from '../parts/lists/table.tsx';
import { useLivePages } from '../parts/lists/use-live-pages.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Ago } from '../parts/values/ago.tsx';
import { Badge } from '../parts/values/badge.tsx';
import { keyState } from './expiry.ts';
import styles from './keys.module.css';
import { NewKeyButton } from './new-key-button.tsx';
import { RevokeKey } from './revoke-key.tsx';

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
  const pages = useLivePages<ApiKey>('/v2/keys', {}, { everyMs: REFRESH_MS });
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
