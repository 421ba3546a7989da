import { Anchor, Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { requestJson } from '../http/request.ts';
import type { AuditEntry, AuditFacets, One } from '../http/types.ts';
import { OnDemand } from '../parts/feedback/boundary.tsx';
import { Empty } from '../parts/feedback/empty.tsx';
import { lazyPart } from '../parts/feedback/lazy-part.tsx';
import { NoMatches } from '../parts/filters/no-matches.tsx';
import { countSet } from '../parts/filters/url-filters.ts';
import { LiveList } from '../parts/lists/live-list.tsx';
import { Table } from '../parts/lists/table.tsx';
import { useLivePages } from '../parts/lists/use-pages.ts';
import { PageHead } from '../parts/page-head.tsx';
import { useFileDownload } from '../parts/use-file-download.tsx';
import { Ago } from '../parts/values/ago.tsx';
import { Badge } from '../parts/values/badge.tsx';
import { useFullTime } from '../settings/time-zone.ts';
import { counted } from '../text/quantities.ts';
import styles from './audit.module.css';
import { AuditFilterBar } from './audit-filter-bar.tsx';
import { ACTORS, actionName, linkTo, nameOfObject, objectName } from './audit-names.ts';
import { type AuditQuery, useAuditFilters } from './use-audit-filters.ts';

const REFRESH_MS = 5_000;

const EntryDialog = lazyPart(() => import('./entry-dialog.tsx'));

/** The page of the audit log: who changed what, newest first. */
export default function AuditPage() {
  const { filters, query, change, clear } = useAuditFilters();
  const pages = useLivePages<AuditEntry>('/v2/audit', query, REFRESH_MS);
  const { data: facets } = useAuditFacets(query, pages.rows[0]?.id);
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  return (
    <>
      <PageHead title="Audit log" actions={<DownloadLog query={query} />}>
        Who changed what, and when. An entry cannot be changed; secrets are never part of one.
      </PageHead>
      <AuditFilterBar filters={filters} change={change} clear={clear} facets={facets} />
      <Total facets={facets} />
      <LiveList
        key={JSON.stringify(query)}
        pages={pages}
        what="entries"
        head={['When', 'Who', 'What', 'On what', 'Details']}
        row={(entry) => <EntryRow key={entry.id} entry={entry} open={setOpened} />}
        empty={countSet(filters) > 0 ? <NoMatches what="change" clear={clear} /> : <NoEntries />}
      />
      <OnDemand>
        {opened && <EntryDialog entry={opened} change={change} onClose={() => setOpened(null)} />}
      </OnDemand>
    </>
  );
}

function EntryRow({ entry, open }: { entry: AuditEntry; open: (entry: AuditEntry) => void }) {
  const { at, actor, action } = entry;
  return (
    <Table.Tr>
      <Table.Td>
        <Ago at={at} />
      </Table.Td>
      <Table.Td className={styles.name}>
        <span>
          <bdi>{actor.name}</bdi> {actor.kind !== 'key' && <Badge>{ACTORS[actor.kind]}</Badge>}
        </span>
      </Table.Td>
      <Table.Td>{actionName(action)}</Table.Td>
      <Table.Td className={styles.name}>
        <ObjectLink entry={entry} />
      </Table.Td>
      <Table.Td>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${summaryOf(entry)}: ${actionName(action)}, ${nameOfObject(entry)}`}
          onClick={() => open(entry)}
        >
          {summaryOf(entry)}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

/** The object of an entry, as a link to its page unless it was removed. */
function ObjectLink({ entry }: { entry: AuditEntry }) {
  const href = linkTo(entry);
  return (
    <div>
      <Text size="xs" c="dimmed">
        {objectName(entry.object.kind)}
      </Text>
      {href ? (
        <Anchor component={Link} href={href} size="sm">
          <bdi>{nameOfObject(entry)}</bdi>
        </Anchor>
      ) : (
        <bdi>{nameOfObject(entry)}</bdi>
      )}
    </div>
  );
}

function summaryOf({ before, after }: AuditEntry): string {
  if (before === null) return 'Created';
  if (after === null) return 'Removed';
  return counted(new Set([...Object.keys(before), ...Object.keys(after)]).size, 'change');
}

/** How many entries match the filters. It keeps its place until they are counted. */
function Total({ facets }: { facets: AuditFacets | undefined }) {
  const fullTime = useFullTime();
  const since = facets?.countedFrom;
  return (
    <Text size="sm" c="dimmed" mb={6}>
      {facets ? counted(facets.entries, 'change') : '\u00a0'}
      {since && ` since ${fullTime(since)}, earlier ones not counted`}
    </Text>
  );
}

const NoEntries = () => (
  <Empty title="No changes yet">
    Each change of an integration, a key, a destination or anything else that people own appears here.
  </Empty>
);

function DownloadLog({ query }: { query: AuditQuery }) {
  const what = { path: '/v2/audit', fileName: 'audit-log.csv', what: 'audit log' };
  const { mutate, isPending } = useFileDownload(what);
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={isPending}
      onClick={() => mutate(query)}
    >
      Download CSV
    </Button>
  );
}

const FACETS_REFRESH_MS = 30_000;

/** @param newest the id of the newest listed entry: a new one changes the counts at once */
const useAuditFacets = (query: AuditQuery, newest: string | undefined) =>
  useQuery({
    queryKey: ['/v2/audit/facets', query, newest],
    queryFn: ({ signal }) => requestJson<One<AuditFacets>>('/v2/audit/facets', { query, signal }),
    select: ({ data }) => data,
    placeholderData: (last) => last,
    refetchInterval: FACETS_REFRESH_MS,
    retry: false,
  });
