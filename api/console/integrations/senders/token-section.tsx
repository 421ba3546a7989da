import { Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { UsedToken } from '../../http/types.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Section } from '../../parts/section.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { wholeNumber } from '../../text/quantities.ts';
import { importedTokensPath, sendersPath } from './path.ts';

interface TokenProps {
  token: UsedToken;
  webhookId: string;
  may: boolean;
}

/** A token and what sends with it. */
export const TokenSection = ({ token, webhookId, may }: TokenProps) => (
  <Section title={titleOf(token)} about={<About token={token} />} wide>
    <Stack gap="sm">
      {token.senders.length > 0 ? <SenderTable token={token} /> : <Text size="sm">Nothing has used it.</Text>}
      {may && token.imported && (
        <Group>
          <Revoke token={token} imported={token.imported} webhookId={webhookId} />
        </Group>
      )}
    </Stack>
  </Section>
);

const TITLES = { current: 'Webhook URL', previous: 'Previous URL' };

const titleOf = ({ kind, imported }: UsedToken): string =>
  kind === 'imported' ? `Imported token …${imported?.ending}` : TITLES[kind];

const About = ({ token: { imported, createdAt, expiresAt, senders } }: { token: UsedToken }) => (
  <>
    {imported ? `${imported.source}. Imported` : 'Created'} <Ago at={createdAt} />
    {expiresAt && (
      <>
        , expires <Ago at={expiresAt} />
      </>
    )}
    {senders[0] && (
      <>
        , last used <Ago at={senders[0].lastAt} />
      </>
    )}
  </>
);

const HEAD = ['Program', 'Path', 'Host', 'First request', 'Last request', 'Requests'];

const SenderTable = ({ token }: { token: UsedToken }) => (
  <DataTable label={`Senders: ${titleOf(token)}`} head={HEAD}>
    {token.senders.map((sender) => (
      <SenderRow key={`${sender.path}${sender.atRoot} ${sender.host} ${sender.userAgent}`} {...sender} />
    ))}
  </DataTable>
);

const SenderRow = ({
  path,
  atRoot,
  host,
  userAgent,
  firstAt,
  lastAt,
  requests,
}: UsedToken['senders'][number]) => (
  <Table.Tr>
    <Table.Td>{path === null ? 'Others' : userAgent || 'Unknown'}</Table.Td>
    <Table.Td>{path === null ? 'Several' : placeOf(path, atRoot)}</Table.Td>
    <Table.Td>{path === null ? 'Several' : host || 'Unknown'}</Table.Td>
    <Table.Td>
      <Ago at={firstAt} />
    </Table.Td>
    <Table.Td>
      <Ago at={lastAt} />
    </Table.Td>
    <Table.Td>{wholeNumber(requests)}</Table.Td>
  </Table.Tr>
);

function placeOf(path: string, atRoot: boolean): string {
  if (path === '') return 'The webhook URL';
  return atRoot ? path : `The webhook URL + ${path}`;
}

interface RevokeProps {
  token: UsedToken;
  imported: NonNullable<UsedToken['imported']>;
  webhookId: string;
}

function Revoke({ token: { senders }, imported, webhookId }: RevokeProps) {
  const cache = useQueryClient();
  const revoke = async () => {
    await requestJson(`${importedTokensPath(webhookId)}/${imported.id}`, { method: 'DELETE' });
    announce(`Revoked the token of ${imported.source}`);
    await cache.invalidateQueries({ queryKey: [sendersPath(webhookId)] });
  };
  return (
    <Confirm
      label="Revoke"
      aria-label={`Revoke the token of ${imported.source}`}
      title={`Revoke the token of ${imported.source}?`}
      size="compact-sm"
      color="red"
      onConfirm={revoke}
    >
      Requests with it are rejected from now on.{' '}
      {senders[0] ? (
        <>
          The last one came <Ago at={senders[0].lastAt} />.
        </>
      ) : (
        'None has come in the last 90 days.'
      )}
    </Confirm>
  );
}
