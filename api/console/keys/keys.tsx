import { Group, Table, Text } from '@mantine/core';
import type { ApiKey } from '../http/types.ts';
import { useCurrentKey, useMay } from '../http/use-current-key.ts';
import { usePages } from '../http/use-pages.ts';
import { Ago } from '../parts/ago.tsx';
import { Badge } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Failure } from '../parts/failure.tsx';
import { Loading } from '../parts/loading.tsx';
import { More } from '../parts/more.tsx';
import { NotFound } from '../parts/not-found.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { keyState } from './expiry.ts';
import styles from './keys.module.css';
import { NewKeyButton } from './new-key.tsx';
import { RevokeKey } from './revoke-key.tsx';

const REFRESH_MS = 15_000;

/** The API keys: who may do what, and who did lately. */
export default function KeysPage() {
  const { data: current } = useCurrentKey();
  const mayManage = useMay('admin');
  if (!current) return <Loading />;
  if (!mayManage) return <NotFound />;
  return (
    <>
      <PageHead title="Keys" actions={<NewKeyButton />}>
        Each program and each person has a key of its own, with no more scopes than it needs.
      </PageHead>
      <Keys currentId={current.id} />
    </>
  );
}

function Keys({ currentId }: { currentId: string }) {
  const pages = usePages<ApiKey>('/v2/keys', {}, { refetchInterval: REFRESH_MS });
  if (pages.isPending) return <Loading />;
  if (pages.isError && pages.rows.length === 0) {
    return <Failure error={pages.error} title="The keys could not be read" retry={pages.refetch} />;
  }
  return (
    <>
      <DataTable label="API keys" head={['Name', 'Scopes', 'Made', 'Last used', 'Expires', 'Actions']}>
        {pages.rows.map((key) => (
          <KeyRow key={key.id} apiKey={key} isCurrent={key.id === currentId} />
        ))}
      </DataTable>
      <More {...pages} />
    </>
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
          {isCurrent && <Badge tone="accent">yours</Badge>}
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
      <Table.Td>{apiKey.lastUsedAt ? <Ago at={apiKey.lastUsedAt} /> : 'never'}</Table.Td>
      <Table.Td>{apiKey.expiresAt ? <Ago at={apiKey.expiresAt} /> : 'never'}</Table.Td>
      <Table.Td>
        {apiKey.revokedAt ? (
          <Text size="sm">
            revoked <Ago at={apiKey.revokedAt} />
          </Text>
        ) : (
          <RevokeKey apiKey={apiKey} isCurrent={isCurrent} />
        )}
      </Table.Td>
    </Table.Tr>
  );
}
