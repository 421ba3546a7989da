import { Anchor, Button, Table, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Webhook } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';
import { usePages } from '../http/use-pages.ts';
import { Empty } from '../parts/feedback/empty.tsx';
import { LiveList } from '../parts/lists/live-list.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Ago } from '../parts/values/ago.tsx';
import { Badge } from '../parts/values/badge.tsx';
import { lastUsedAt } from './webhook/last-used.ts';

const REFRESH_MS = 15_000;

/** All integrations, newest first. */
export default function IntegrationList() {
  return (
    <>
      <PageHead title="Integrations" actions={<NewIntegration />}>
        Each has a URL of its own that takes alerts as JSON, and a mapping that says what becomes of them.
      </PageHead>
      <Integrations />
    </>
  );
}

function NewIntegration() {
  if (!useMay('webhooks:write')) return null;
  return (
    <Button component={Link} href="/integrations/new" leftSection={<IconPlus size={16} />}>
      New integration
    </Button>
  );
}

function Integrations() {
  const pages = usePages<Webhook>('/v2/webhooks', {}, { refetchInterval: REFRESH_MS });
  return (
    <LiveList
      pages={pages}
      what="integrations"
      head={['Name', 'Template', 'Mapping', 'Last event', 'Made']}
      row={(webhook) => <Row key={webhook.id} webhook={webhook} />}
      empty={<NoIntegrations />}
    />
  );
}

function Row({ webhook }: { webhook: Webhook }) {
  const usedAt = lastUsedAt(webhook);
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} href={`/integrations/${webhook.id}`} fw={600}>
          {webhook.name}
        </Anchor>
        <Text size="sm" c="dimmed" lineClamp={1}>
          {webhook.description}
        </Text>
      </Table.Td>
      <Table.Td>{webhook.template ? <Badge tone="accent">{webhook.template}</Badge> : 'blank'}</Table.Td>
      <Table.Td>
        {webhook.mappingRevision === 0 ? 'none yet' : `revision ${webhook.mappingRevision}`}
      </Table.Td>
      <Table.Td>{usedAt ? <Ago at={usedAt} /> : 'none yet'}</Table.Td>
      <Table.Td>
        <Ago at={webhook.createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}

const NoIntegrations = () => (
  <Empty title="No integration yet" action={<NewIntegration />}>
    Make one for each system that sends alerts. It gets a URL; what is sent there becomes alerts the way you
    draw it.
  </Empty>
);
