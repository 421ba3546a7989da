import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Webhook } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';
import { Empty } from '../parts/feedback/empty.tsx';
import { LinkRow, RowLink } from '../parts/lists/link-row.tsx';
import { LiveList } from '../parts/lists/live-list.tsx';
import { Table } from '../parts/lists/table.tsx';
import { useLivePages } from '../parts/lists/use-pages.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Ago } from '../parts/values/ago.tsx';
import { Badge } from '../parts/values/badge.tsx';
import { FirstSteps } from './first-steps/first-steps.tsx';
import { SourceLogo } from './gallery/source-logo.tsx';
import { lastUsedAt } from './webhook/last-used.ts';

const REFRESH_MS = 15_000;

/** The list of all integrations, newest first. */
export default function IntegrationList() {
  return (
    <>
      <PageHead title="Integrations" actions={<NewIntegration />}>
        Each integration has a URL that receives events as JSON and a mapping that turns them into alerts.
      </PageHead>
      <Integrations />
    </>
  );
}

function NewIntegration() {
  if (!useMay('webhooks:write')) return null;
  return (
    <Group gap="sm">
      <Button component={Link} href="/integrations/import" variant="default">
        Import
      </Button>
      <Button component={Link} href="/integrations/new" leftSection={<IconPlus size={16} />}>
        New integration
      </Button>
    </Group>
  );
}

function Integrations() {
  const pages = useLivePages<Webhook>('/v2/webhooks', {}, REFRESH_MS);
  const mayWrite = useMay('webhooks:write');
  return (
    <>
      {pages.data && mayWrite && <FirstSteps webhooks={pages.rows} />}
      <LiveList
        pages={pages}
        what="integrations"
        head={['Name', 'Template', 'Mapping', 'Last event', 'Created']}
        row={(webhook) => <Row key={webhook.id} webhook={webhook} />}
        empty={mayWrite ? null : <NoIntegrations />}
      />
    </>
  );
}

function Row({ webhook }: { webhook: Webhook }) {
  const usedAt = lastUsedAt(webhook);
  return (
    <LinkRow>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <SourceLogo name={webhook.template ?? webhook.name} title={webhook.template ?? webhook.name} />
          <div>
            <RowLink href={`/integrations/${webhook.id}`} fw={600}>
              {webhook.name}
            </RowLink>
            <Text size="xs" c="dimmed" lineClamp={1}>
              {webhook.description}
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td>{webhook.template ? <Badge>{webhook.template}</Badge> : 'None'}</Table.Td>
      <Table.Td>{webhook.mappingRevision === 0 ? 'None' : `Revision ${webhook.mappingRevision}`}</Table.Td>
      <Table.Td>{usedAt ? <Ago at={usedAt} /> : 'Never'}</Table.Td>
      <Table.Td>
        <Ago at={webhook.createdAt} />
      </Table.Td>
    </LinkRow>
  );
}

const NoIntegrations = () => (
  <Empty title="No integrations yet">
    Each system that sends alerts needs one. This key cannot create integrations.
  </Empty>
);
