import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { request } from '../../http/request.ts';
import type { UploadLink } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { LiveList } from '../../parts/lists/live-list.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { useLivePages } from '../../parts/lists/use-pages.ts';
import { Section } from '../../parts/section.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { Badge } from '../../parts/values/badge.tsx';
import { wholeNumber } from '../../text/quantities.ts';
import { UPLOAD_LINKS_PATH } from './upload-links-path.ts';

const REFRESH_MS = 15_000;

const NewLinkDialog = lazyPart(() => import('./new-link-dialog.tsx'));

/** The links with which people without an API key upload files for an account system. */
export function UploadLinks({ integrationId }: { integrationId: string }) {
  const mayWrite = useMay('developer_records:write');
  const [isMaking, setMaking] = useState(false);
  const pages = useLivePages<UploadLink>(UPLOAD_LINKS_PATH, { integrationId }, REFRESH_MS);
  return (
    <Section
      title="Upload links"
      about="A link lets somebody without an API key check and upload files for this account system, and nothing else."
      wide
    >
      <Stack gap="sm">
        <LiveList
          pages={pages}
          what="links"
          head={['Name', 'Uploads', 'Last used', 'Ends', 'Made by', 'Actions']}
          row={(link) => <LinkRow key={link.id} link={link} mayWrite={mayWrite} />}
          empty={<Text size="sm">There are none.</Text>}
        />
        {mayWrite && (
          <div>
            <Button variant="default" onClick={() => setMaking(true)}>
              New upload link
            </Button>
          </div>
        )}
      </Stack>
      <OnDemand>
        {isMaking && <NewLinkDialog integrationId={integrationId} onClose={() => setMaking(false)} />}
      </OnDemand>
    </Section>
  );
}

const STATES = { open: null, used_up: 'used up', expired: 'expired', revoked: 'revoked' } as const;

function LinkRow({ link, mayWrite }: { link: UploadLink; mayWrite: boolean }) {
  const { id, name, state, uploadsUsed, uploadsAllowed, lastUsedAt, expiresAt, apiKey } = link;
  const label = STATES[state];
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text fw={600} size="sm">
            <bdi>{name}</bdi>
          </Text>
          {label && <Badge tone={state === 'used_up' ? 'warn' : 'bad'}>{label}</Badge>}
        </Group>
      </Table.Td>
      <Table.Td>
        <Anchor
          component={Link}
          href={`/jobs?uploadLink=${id}`}
          inherit
          aria-label={`View jobs of ${name}: ${uploadsUsed} of ${uploadsAllowed} uploads`}
        >
          {wholeNumber(uploadsUsed)} of {wholeNumber(uploadsAllowed)}
        </Anchor>
      </Table.Td>
      <Table.Td>{lastUsedAt ? <Ago at={lastUsedAt} /> : 'Never'}</Table.Td>
      <Table.Td>
        <Ago at={expiresAt} />
      </Table.Td>
      <Table.Td>{apiKey.name ?? <code>{apiKey.id}</code>}</Table.Td>
      <Table.Td>
        {mayWrite && (state === 'open' || state === 'used_up') && <RevokeLink link={link} />}
      </Table.Td>
    </Table.Tr>
  );
}

function RevokeLink({ link: { id, name } }: { link: UploadLink }) {
  const cache = useQueryClient();
  const revoke = async () => {
    await request(`${UPLOAD_LINKS_PATH}/${id}`, { method: 'DELETE' });
    announce(`Revoked ${name}`);
    await cache.invalidateQueries({ queryKey: [UPLOAD_LINKS_PATH] });
  };
  return (
    <Confirm label="Revoke" aria-label={`Revoke ${name}`} title={`Revoke ${name}?`} onConfirm={revoke}>
      The link stops working at once. Files that were uploaded before are processed.
    </Confirm>
  );
}
