import { Table, Text } from '@mantine/core';
import type { AlertDetail, AlertField } from '../../http/types.ts';
import { isRequired } from '../../mapping/model/draft/alert-fields.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Section } from '../../parts/section.tsx';
import { Badge, StateBadge } from '../../parts/values/badge.tsx';
import styles from './detail.module.css';
import { explainResult, type ShownResult } from './explain-result.ts';

/** How each field of an alert came about. */
export function FieldResults({ alert: { results, event } }: { alert: AlertDetail }) {
  const about =
    results === null
      ? whyNone(event !== null)
      : 'Resolved: the payload had it. Defaulted: the mapping’s default stands in. Missing: neither.';
  return (
    <Section title="Fields" about={about} wide>
      {results && (
        <DataTable label="Fields" head={['Field', 'Result', 'Value', 'Why']}>
          {Object.entries(results.fields).map(([name, result]) => (
            <Row
              key={name}
              name={name}
              result={result}
              isRequired={isRequired(`fields.${name as AlertField}`)}
            />
          ))}
          {Object.entries(results.custom).map(([name, result]) => (
            <Row key={`custom.${name}`} name={name} result={result} isRequired={false} />
          ))}
        </DataTable>
      )}
    </Section>
  );
}

const whyNone = (hasEvent: boolean): string =>
  hasEvent
    ? 'There was no mapping, so no field could be filled. Draw one, then map the earlier events again.'
    : 'The event has expired, so how each field was filled cannot be told any more.';

interface RowProps {
  name: string;
  result: ShownResult;
  isRequired: boolean;
}

const Row = ({ name, result, isRequired }: RowProps) => (
  <Table.Tr>
    <Table.Td className={styles.result}>{name}</Table.Td>
    <Table.Td className={styles.result}>
      {result.result === 'missing' && !isRequired ? (
        <Badge>missing</Badge>
      ) : (
        <StateBadge state={result.result} />
      )}
    </Table.Td>
    <Table.Td className={styles.value}>
      <Text size="sm" lineClamp={4}>
        <bdi>{result.value}</bdi>
      </Text>
    </Table.Td>
    <Table.Td className={styles.why}>
      {explainResult(result).map((sentence) => (
        <Text size="sm" key={sentence}>
          <bdi>{sentence}</bdi>
        </Text>
      ))}
    </Table.Td>
  </Table.Tr>
);
