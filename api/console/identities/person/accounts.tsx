import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Identity } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { More } from '../../parts/lists/more.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { usePages } from '../../parts/lists/use-pages.ts';
import { Section } from '../../parts/section.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { historyAddress } from '../history/use-history.ts';
import { IDENTITIES_PATH } from '../identities-path.ts';
import { AccountPageLink } from '../systems/account-page-link.tsx';
import { AccountSystemName } from '../systems/account-system-name.tsx';
import { AccountsHistory } from './accounts-history.tsx';

const PAGE_SIZE = 50;

/** The accounts that belong to a person, and their history. */
export function Accounts({ email }: { email: string }) {
  const accounts = usePages<Identity>(IDENTITIES_PATH, { emails: email, pageSize: PAGE_SIZE });
  return (
    <>
      <Section title="Accounts" about="Those that belong to this person now." wide>
        {accounts.isPending && <Loading shape="table" />}
        {accounts.error && (
          <Failure error={accounts.error} title="Could not load the accounts" retry={accounts.refetch} />
        )}
        {accounts.data && accounts.rows.length === 0 && (
          <Text size="sm" c="dimmed">
            No account belongs to this person.
          </Text>
        )}
        {accounts.rows.length > 0 && (
          <DataTable label="Accounts of this person" head={['Identity', 'Account system', 'Updated']}>
            {accounts.rows.map((account) => (
              <AccountRow key={`${account.integrationId} ${account.identity}`} account={account} />
            ))}
          </DataTable>
        )}
        <More {...accounts} />
      </Section>
      {accounts.rows.length > 0 && <AccountsHistory accounts={accounts.rows} />}
    </>
  );
}

const AccountRow = ({ account }: { account: Identity }) => (
  <Table.Tr>
    <Table.Td>
      <Anchor
        component={Link}
        href={historyAddress(account)}
        inherit
        title="View the history of this account"
      >
        {account.identity}
      </Anchor>
      <AccountPageLink {...account} />
    </Table.Td>
    <Table.Td>
      <AccountSystemName integrationId={account.integrationId} isLink />
    </Table.Td>
    <Table.Td>
      <Ago at={account.updatedAt} />
    </Table.Td>
  </Table.Tr>
);
