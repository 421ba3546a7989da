import { Text } from '@mantine/core';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { Link, useParams } from 'wouter';
import { RequestFailure } from '../http/request-failure.ts';
import { BackLink } from '../parts/back-link.tsx';
import { Failure } from '../parts/feedback/failure.tsx';
import { Loading } from '../parts/feedback/loading.tsx';
import { NotFound } from '../parts/feedback/not-found.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Ago } from '../parts/values/ago.tsx';
import { Badge } from '../parts/values/badge.tsx';
import { FiringSeries } from './firing-series.tsx';
import styles from './integration.module.css';
import { UnknownSeverities } from './unknown-severities.tsx';
import { lastUsedAt } from './webhook/last-used.ts';
import type { OpenTabProps, TabProps } from './webhook/tab-props.ts';
import { useNewestEvent } from './webhook/use-newest-event.ts';
import { useWebhook } from './webhook/use-webhook.ts';

interface Tab {
  name: string;
  title: string;
  content: ComponentType<OpenTabProps>;
}

/** Each tab's code is loaded when the tab is opened: the mapping tab brings a large editor. */
const TABS: readonly Tab[] = [
  { name: 'mapping', title: 'Mapping', content: lazy(() => import('../mapping/mapping.tsx')) },
  { name: 'test', title: 'Test', content: lazy(() => import('./test/test.tsx')) },
  { name: 'events', title: 'Events', content: lazy(() => import('./events.tsx')) },
  { name: 'settings', title: 'URL and security', content: lazy(() => import('./settings/settings.tsx')) },
];

/** The page of one integration: its name and its tabs. */
export default function Integration() {
  const { id = '', tab = 'mapping' } = useParams();
  const { data: webhook, error, refetch } = useWebhook(id);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const open = TABS.find(({ name }) => name === tab);
  if (!open) return <NotFound />;
  if (error instanceof RequestFailure && error.status === 404) return <NotFound />;
  const failure = error && <Failure error={error} title="Could not load the integration" retry={refetch} />;
  // A failed refresh keeps the tab mounted, so unsaved input survives a short API outage.
  if (!webhook) return failure ?? <Loading shape="details" />;
  return (
    <>
      {failure}
      <Head webhook={webhook} />
      <FiringSeries webhookId={webhook.id} />
      {tab !== 'mapping' && <UnknownSeverities webhookId={webhook.id} />}
      <div className={styles.bar}>
        <Tabs webhook={webhook} open={tab} />
        <div ref={setBar} />
      </div>
      <Suspense fallback={<Loading shape={tab === 'mapping' ? 'columns' : 'details'} />}>
        <open.content key={webhook.id} webhook={webhook} bar={bar} />
      </Suspense>
    </>
  );
}

function Head({ webhook }: TabProps) {
  const newest = useNewestEvent(webhook.id);
  const usedAt = newest?.receivedAt ?? lastUsedAt(webhook);
  return (
    <PageHead
      title={webhook.name}
      above={<BackLink href="/integrations">Integrations</BackLink>}
      aside={
        <>
          {webhook.template && <Badge>{webhook.template} template</Badge>}
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

const Tabs = ({ webhook, open }: TabProps & { open: string }) => (
  <nav className={styles.tabs} aria-label="Integration tabs">
    {TABS.map(({ name, title }) => (
      <Link
        key={name}
        href={`/integrations/${webhook.id}/${name}`}
        className={styles.tab}
        aria-current={name === open ? 'page' : undefined}
        data-text={title}
      >
        {title}
      </Link>
    ))}
  </nav>
);
