import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Feed } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { More } from '../../parts/lists/more.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { usePages } from '../../parts/lists/use-pages.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import styles from './feeds.module.css';
import { ProblemBadge } from './problem-badge.tsx';
import { FEEDS_PATH, feedAddress, scheduleText } from './use-feeds.ts';

const FeedDialog = lazyPart(() => import('./feed-dialog.tsx'));

/** The feeds: files of identities that are fetched on a schedule. */
export default function FeedsPage() {
  const may = useMay('developer_records:write');
  const [isNew, setNew] = useState(false);
  return (
    <>
      <PageHead
        title="Feeds"
        above={<BackLink href="/identities">Identities</BackLink>}
        actions={may && <Button onClick={() => setNew(true)}>New feed</Button>}
      >
        Files that Muster fetches on a schedule. What they change is planned first, and written only if all
        guards let it pass.
      </PageHead>
      <FeedList onNew={may ? () => setNew(true) : null} />
      <OnDemand>{isNew && <FeedDialog feed={null} onClose={() => setNew(false)} />}</OnDemand>
    </>
  );
}

function FeedList({ onNew }: { onNew: (() => void) | null }) {
  const pages = usePages<Feed>(FEEDS_PATH, {}, { refetchInterval: 15_000 });
  if (pages.isPending) return <Loading shape="table" />;
  if (!pages.data)
    return <Failure error={pages.error} title="Could not load the feeds" retry={pages.refetch} />;
  if (pages.rows.length === 0)
    return (
      <Empty title="No feeds yet" action={onNew && <Button onClick={onNew}>New feed</Button>}>
        A feed fetches a file over HTTPS or SFTP, from S3 or a directory, such as the people of HR each night.
      </Empty>
    );
  return (
    <>
      <DataTable label="Feeds" head={['Feed', 'Source', 'Runs', 'Next run', 'State']}>
        {pages.rows.map((feed) => (
          <Table.Tr key={feed.id}>
            <Table.Td>
              <Link href={feedAddress(feed.id)} className={styles.name}>
                <bdi>{feed.name}</bdi>
              </Link>
            </Table.Td>
            <Table.Td className={styles.source}>{feed.source.location}</Table.Td>
            <Table.Td>{scheduleText(feed)}</Table.Td>
            <Table.Td>{feed.nextRunAt ? <Ago at={feed.nextRunAt} /> : '–'}</Table.Td>
            <Table.Td>
              <ProblemBadge feed={feed} />
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      <More {...pages} />
    </>
  );
}
