import { Text } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'wouter';
import { RequestFailure } from '../http/request-failure.ts';
import { BackLink } from '../parts/back-link.tsx';
import { NotFound } from '../parts/feedback/empty.tsx';
import { Failure } from '../parts/feedback/failure.tsx';
import { type LazyPart, lazyPart } from '../parts/feedback/lazy-part.tsx';
import { Loading } from '../parts/feedback/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { TabBar } from '../parts/tab-bar.tsx';
import { Ago } from '../parts/values/ago.tsx';
import { Badge } from '../parts/values/badge.tsx';
import { FiringSeries, useIsFiringKnown } from './firing-series.tsx';
import { ManagedByFiles } from './managed-by-files.tsx';
import { FIRST_TAB, TAB_CODE, type TabName } from './tab-code.ts';
import { UnknownSeverities } from './unknown-severities.tsx';
import { lastUsedAt } from './webhook/last-used.ts';
import type { OpenTabProps, TabProps } from './webhook/tab-props.ts';
import { useMutedUntil } from './webhook/use-muted-until.ts';
import { useNewestEvent } from './webhook/use-newest-event.ts';
import { useWebhook } from './webhook/use-webhook.ts';

interface Tab {
  name: TabName;
  title: string;
  Content: LazyPart<OpenTabProps>;
}

const TABS: readonly Tab[] = [
  { name: 'mapping', title: 'Mapping', Content: lazyPart(TAB_CODE.mapping) },
  { name: 'test', title: 'Test', Content: lazyPart(TAB_CODE.test) },
  { name: 'events', title: 'Events', Content: lazyPart(TAB_CODE.events) },
  { name: 'heartbeats', title: 'Heartbeats', Content: lazyPart(TAB_CODE.heartbeats) },
  { name: 'senders', title: 'Senders', Content: lazyPart(TAB_CODE.senders) },
  { name: 'settings', title: 'URL and security', Content: lazyPart(TAB_CODE.settings) },
];

/** The page of one integration: its name and its tabs. */
export default function Integration() {
  const { id = '', tab: name = FIRST_TAB } = useParams();
  const { data: webhook, error, refetch } = useWebhook(id);
  const isFiringKnown = useIsFiringKnown();
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const open = TABS.find((one) => one.name === name);
  if (!open) return <NotFound />;
  if (error instanceof RequestFailure && error.status === 404) return <NotFound />;
  const failure = error && <Failure error={error} title="Could not load the integration" retry={refetch} />;
  // A failed refresh keeps the tab mounted, so unsaved input survives a short API outage.
  if (!webhook || !isFiringKnown) return failure ?? <Loading shape="details" />;
  return (
    <>
      {failure}
      <Head webhook={webhook} />
      <FiringSeries webhookId={webhook.id} />
      {name !== 'mapping' && <UnknownSeverities webhook={webhook} />}
      <TabBar
        label="Integration tabs"
        tabs={TABS}
        open={name}
        hrefOf={(tab) => `/integrations/${webhook.id}/${tab}`}
      >
        <div ref={setBar} />
      </TabBar>
      <ManagedByFiles webhook={webhook} tab={open.name} />
      <open.Content
        key={webhook.id}
        placeholder={<Loading shape={name === 'mapping' ? 'columns' : 'details'} />}
        webhook={webhook}
        bar={bar}
      />
    </>
  );
}

function Head({ webhook }: TabProps) {
  const newest = useNewestEvent(webhook.id);
  const mutedUntil = useMutedUntil(webhook);
  const usedAt = newest?.receivedAt ?? lastUsedAt(webhook);
  return (
    <PageHead
      title={webhook.name}
      above={<BackLink href="/integrations">Integrations</BackLink>}
      aside={
        <>
          {webhook.template && <Badge>{webhook.template} template</Badge>}
          {mutedUntil !== null && (
            <Badge tone="warn">
              muted, ends <Ago at={mutedUntil} />
            </Badge>
          )}
          <Text size="sm" c="dimmed">
            {usedAt ? (
              <>
                Last event <Ago at={usedAt} />
              </>
            ) : (
              'No events yet'
            )}
          </Text>
        </>
      }
      isTight
    >
      {webhook.description}
    </PageHead>
  );
}
