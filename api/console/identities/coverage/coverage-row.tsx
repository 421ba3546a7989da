import { Anchor, Button, Skeleton, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Coverage } from '../../http/types.ts';
import { Table } from '../../parts/lists/table.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { wholeNumber } from '../../text/quantities.ts';
import styles from './coverage.module.css';
import { useCoverage } from './use-coverage.ts';

/** The counts of an account system, with links to its identities, its last upload and a worklist. */
export function CoverageRow({ row }: { row: Coverage }) {
  const { coverage, isCounting } = useCoverage(row);
  const { integrationId, accounts, owners, removed, lastUpload } = coverage;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          component={Link}
          href={`/identities?integrationIds=${integrationId}`}
          fw={600}
          size="sm"
          aria-label={`Identities of account system ${integrationId}`}
        >
          {integrationId}
        </Anchor>
      </Table.Td>
      {[accounts, owners, removed].map((count, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the columns never changes
        <Table.Td key={column} className={styles.count}>
          <Count count={count} isCounting={isCounting} />
        </Table.Td>
      ))}
      <Table.Td>{lastUpload ? <LastUpload upload={lastUpload} /> : '–'}</Table.Td>
      <Table.Td className={styles.actions}>
        <Button
          component={Link}
          href={`/identities/worklist?integrationId=${integrationId}`}
          variant="default"
          size="compact-sm"
          fw={500}
          aria-label={`Make a worklist for account system ${integrationId}`}
        >
          Make a worklist
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

/** A count, or a note that counting took too long. */
function Count({ count, isCounting }: { count: number | null; isCounting: boolean }) {
  if (isCounting) return <Skeleton height={18} width={60} aria-label="Counting" />;
  if (count === null) return <Text size="sm">too many to count</Text>;
  return wholeNumber(count);
}

function LastUpload({
  upload: { acceptedAt, jobId, apiKey },
}: {
  upload: NonNullable<Coverage['lastUpload']>;
}) {
  return (
    <Text size="sm" component="div">
      {jobId ? (
        <Anchor component={Link} href={`/jobs/${jobId}`} size="sm">
          <Ago at={acceptedAt} />
        </Anchor>
      ) : (
        <Ago at={acceptedAt} />
      )}
      {apiKey && (
        <Text size="xs" c="dimmed">
          {apiKey.name}
        </Text>
      )}
    </Text>
  );
}
