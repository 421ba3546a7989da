import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { saveFile } from '../../../http/download.ts';
import type { WorklistDecision } from '../../../http/types.ts';
import { useMay } from '../../../http/use-current-key.ts';
import { BackLink } from '../../../parts/back-link.tsx';
import { announce } from '../../../parts/feedback/announce.tsx';
import { Empty } from '../../../parts/feedback/empty.tsx';
import { Failure } from '../../../parts/feedback/failure.tsx';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { More } from '../../../parts/lists/more.tsx';
import { usePages } from '../../../parts/lists/use-pages.ts';
import { PageHead } from '../../../parts/page-head.tsx';
import { isIntegrationId } from '../../list-state.ts';
import { AccountSystemInput } from '../../systems/account-system-input.tsx';
import { WORDS } from '../review/account-state.ts';
import { decisionsPath } from '../review/load-worklist.ts';
import { DecisionRow } from './decision-row.tsx';
import { exportDecisions } from './export-decisions.ts';
import { UploadDecisions } from './upload-decisions.tsx';

const HEAD = ['Account', 'Decision', 'Suggestion', 'Decided', 'Actions'];
const KINDS = [
  { value: '', label: 'All decisions' },
  ...Object.entries(WORDS).map(([value, label]) => ({ value, label })),
];

/** The decisions about accounts of worklists of one account system: find, change, take back, export and upload them. */
export default function DecisionsPage() {
  const [search, setSearch] = useSearchParams();
  const mayWrite = useMay('developer_records:write');
  const valueIn = (name: string) => search.get(name) ?? '';
  const put = (name: string, value: string) =>
    setSearch(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true },
    );
  const integrationId = valueIn('integrationId');
  const filters = { decision: valueIn('decision'), identity: valueIn('identity') };
  const isKnown = isIntegrationId(integrationId);
  return (
    <>
      <PageHead
        title="Decisions"
        above={<BackLink href="/identities/coverage">Coverage</BackLink>}
        actions={isKnown && <ExportButton integrationId={integrationId} filters={filters} />}
      >
        What was decided about accounts of worklists. It holds for the next worklist, and writes no
        identities.
      </PageHead>
      <Group align="flex-end" gap="sm" mb="md">
        <AccountSystemInput
          label="Account system"
          value={integrationId}
          error={integrationId !== '' && !isKnown && 'Enter a positive integer, or a name.'}
          onValue={(value) => put('integrationId', value)}
        />
        <NativeSelect
          label="Decision"
          data={KINDS}
          value={filters.decision}
          onChange={({ currentTarget }) => put('decision', currentTarget.value)}
        />
        <TextInput
          type="search"
          label="Account"
          placeholder="complete name"
          value={filters.identity}
          onChange={({ currentTarget }) => put('identity', currentTarget.value)}
        />
      </Group>
      {isKnown ? (
        <Stack gap="lg">
          <DecisionList integrationId={integrationId} filters={filters} mayWrite={mayWrite} />
          {mayWrite && <UploadDecisions integrationId={integrationId} />}
        </Stack>
      ) : (
        <Empty title="Choose an account system">Enter its number or its name above.</Empty>
      )}
    </>
  );
}

interface ListProps {
  integrationId: string;
  filters: { decision: string; identity: string };
}

function DecisionList({ integrationId, filters, mayWrite }: ListProps & { mayWrite: boolean }) {
  const pages = usePages<WorklistDecision>(decisionsPath(integrationId), filters, { keepsLast: true });
  if (pages.isPending) return <Loading shape="table" />;
  if (!pages.data)
    return <Failure error={pages.error} title="Could not load the decisions" retry={pages.refetch} />;
  if (pages.rows.length === 0)
    return <Empty title="No decisions">Nobody has decided about such an account.</Empty>;
  return (
    <div>
      <DataTable label="Decisions" head={HEAD}>
        {pages.rows.map((one) => (
          <DecisionRow
            key={JSON.stringify([one.identity, one.decision, one.email])}
            one={one}
            integrationId={integrationId}
            mayWrite={mayWrite}
          />
        ))}
      </DataTable>
      <More {...pages} />
    </div>
  );
}

/** Downloads all decisions that the filters leave. */
function ExportButton({ integrationId, filters }: ListProps) {
  const saving = useMutation({
    mutationFn: () => exportDecisions(integrationId, filters),
    onSuccess: (file) => {
      saveFile(file, `decisions-${integrationId}.csv`);
      announce('Downloaded the decisions');
    },
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={saving.isPending}
        onClick={() => saving.mutate()}
      >
        Export CSV
      </Button>
      {saving.isError && <Failure error={saving.error} title="Could not download the decisions" />}
    </>
  );
}
