import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { ACCOUNT_SYSTEM_KINDS } from '../../../../workers/text/account-system-kinds.ts';
import { requestJson } from '../../http/request.ts';
import type { AccountSystem, Coverage, One } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Facts } from '../../parts/facts.tsx';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { NotFound } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ManagedNote } from '../../parts/managed-note.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Section } from '../../parts/section.tsx';
import { wholeNumber } from '../../text/quantities.ts';
import { LastUpload } from '../coverage/last-upload.tsx';
import { COVERAGE_PATH } from '../coverage/use-coverage.ts';
import { isIntegrationId } from '../list-state.ts';
import { Days } from './days.tsx';
import { DeleteName } from './delete-name.tsx';
import { UploadLinks } from './upload-links.tsx';
import { useAccountSystemList } from './use-account-systems.ts';

const NameDialog = lazyPart(() => import('./name-dialog.tsx'));

/** The page of an account system: its name, what is recorded of it now and day by day, and its worklists. */
export default function AccountSystemPage() {
  const { id = '' } = useParams();
  const found = useAccountSystemList();
  if (!isIntegrationId(id)) return <NotFound />;
  if (found.error)
    return <Failure error={found.error} title="Could not load the account system" retry={found.refetch} />;
  if (found.data === undefined) return <Loading shape="details" />;
  const system = found.data.data.find(({ integrationId }) => integrationId === Number(id)) ?? null;
  return <Found key={id} integrationId={id} system={system} />;
}

function Found({ integrationId, system }: { integrationId: string; system: AccountSystem | null }) {
  const mayWrite = useMay('developer_records:write');
  const [isEditing, setEditing] = useState(false);
  const kind = ACCOUNT_SYSTEM_KINDS.find(({ kind }) => kind === system?.kind);
  return (
    <>
      <PageHead
        title={system?.name ?? `Account system ${integrationId}`}
        above={<BackLink href="/identities/coverage">Coverage</BackLink>}
        actions={
          <>
            <Button component={Link} href={`/identities?integrationIds=${integrationId}`} variant="default">
              View accounts
            </Button>
            <Button component={Link} href={`/identities/worklist?integrationId=${integrationId}`}>
              Make a worklist
            </Button>
          </>
        }
      >
        Account system {integrationId}
        {kind && kind.kind !== 'other' && `, ${kind.title}`}.
      </PageHead>
      <Stack>
        {mayWrite && <ManagedNote managedBy={system?.managedBy ?? null} what="Its name and kind" />}
        <Now integrationId={integrationId} />
        <Days integrationId={integrationId} />
        <UploadLinks integrationId={integrationId} />
        <Section
          title="Name"
          about="How the console shows the number, and where it finds the page of an account."
        >
          <Stack gap="sm">
            {system ? (
              <Facts
                facts={[
                  ['Name', <bdi key="name">{system.name}</bdi>],
                  ['Kind', kind?.title ?? system.kind],
                  [
                    'Page of an account',
                    system.accountUrl ? <code key="url">{system.accountUrl}</code> : 'none',
                  ],
                ]}
              />
            ) : (
              <Text size="sm">It has no name yet.</Text>
            )}
            {mayWrite && (
              <Group gap="sm">
                <Button variant="default" onClick={() => setEditing(true)}>
                  {system ? 'Change name' : 'Name account system'}
                </Button>
                {system && <DeleteName system={system} />}
              </Group>
            )}
          </Stack>
        </Section>
      </Stack>
      <OnDemand>
        {isEditing && (
          <NameDialog integrationId={integrationId} system={system} onClose={() => setEditing(false)} />
        )}
      </OnDemand>
    </>
  );
}

/** What is recorded now. */
function Now({ integrationId }: { integrationId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [COVERAGE_PATH, Number(integrationId)],
    queryFn: ({ signal }) =>
      requestJson<One<Coverage>>(`/v2/integrations/${integrationId}/coverage`, { signal }),
    select: ({ data }) => data,
  });
  return (
    <Section title="Recorded now">
      {error ? (
        <Failure error={error} title="Could not count the accounts" retry={refetch} />
      ) : data ? (
        <Facts
          facts={[
            ['Accounts with an owner', shown(data.accounts)],
            ['Owners', shown(data.owners)],
            ['Last upload', data.lastUpload ? <LastUpload key="upload" upload={data.lastUpload} /> : 'none'],
          ]}
        />
      ) : (
        <Loading rows={2} />
      )}
    </Section>
  );
}

const shown = (count: number | null): string => (count === null ? 'too many to count' : wholeNumber(count));
