import { Button, Group, Text } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useMay } from '../../http/use-current-key.ts';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { counted } from '../../text/quantities.ts';
import { ExportButton } from '../export/export-button.tsx';
import { ExportPanels } from '../export/export-panels.tsx';
import { isFiltered, listName, NO_FILTERS } from '../list-state.ts';
import { useIdentities, useTotal } from '../use-identities.ts';
import { useListState } from '../use-list-state.ts';
import { Filters } from './filters.tsx';
import { IdentityTable } from './identity-table.tsx';
import styles from './list.module.css';
import { Pager } from './pager.tsx';

const RecordDialog = lazyPart(() => import('../record/record-dialog.tsx'));

/** The identity list page. */
export default function IdentitiesPage() {
  const { state } = useListState();
  const total = useTotal(state);
  return (
    <>
      <PageHead
        title="Identities"
        actions={
          <>
            <Button component={Link} href="/identities/coverage" variant="default">
              Coverage
            </Button>
            <Button component={Link} href="/identities/feeds" variant="default">
              Feeds
            </Button>
            <ExportButton total={total.data} />
            <WriteActions />
          </>
        }
      >
        Accounts in each account system and the developers who own them.
      </PageHead>
      <ExportPanels />
      <Filters />
      <Identities total={total.data} />
    </>
  );
}

function WriteActions() {
  const [adding, setAdding] = useState(false);
  if (!useMay('developer_records:write')) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
        Add identity
      </Button>
      <Button component={Link} href="/identities/upload" leftSection={<IconUpload size={16} />}>
        Upload CSV
      </Button>
      <OnDemand>{adding && <RecordDialog record={null} onClose={() => setAdding(false)} />}</OnDemand>
    </>
  );
}

function Identities({ total }: { total: number | undefined }) {
  const { state } = useListState();
  const page = useIdentities(state);
  if (page.isPending) return <Loading shape="table" />;
  if (!page.data) {
    return <Failure error={page.error} title="Could not load the identities" retry={page.refetch} />;
  }
  const { data: rows, page: place } = page.data;
  if (rows.length === 0 && state.page === 1) return <NoIdentities filtered={isFiltered(state)} />;
  return (
    <div className={page.isPlaceholderData ? styles.waiting : undefined} aria-busy={page.isPlaceholderData}>
      <Text size="sm" c="dimmed" mb={6}>
        {total === undefined ? '\u00a0' : counted(total, 'identity', 'identities')}
      </Text>
      <IdentityTable rows={rows} />
      <Pager
        key={listName(state)}
        nextCursor={place.nextCursor}
        total={total}
        isWaiting={page.isPlaceholderData}
      />
    </div>
  );
}

function NoIdentities({ filtered }: { filtered: boolean }) {
  const { change } = useListState();
  if (!filtered) {
    return (
      <Empty
        title="No identities yet"
        action={
          <Group justify="center">
            <WriteActions />
          </Group>
        }
      >
        Upload a CSV file with the columns email, integrationId and identity, or add a single identity. A dry
        run shows what an upload would change before it writes anything.
      </Empty>
    );
  }
  // Replaces the address, as the filter bar does.
  const clear = () => change(NO_FILTERS, { replace: true });
  return (
    <Empty
      title="No identities match"
      action={
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      }
    >
      Try a shorter search term, the other search field, or fewer filters.
    </Empty>
  );
}
