import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { shortEventId } from '../../events/event-id.ts';
import type { AlertDetail, MappedField } from '../../http/types.ts';
import { isRequired } from '../../mapping/model/draft/alert-fields.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Section } from '../../parts/section.tsx';
import { Badge, StateBadge } from '../../parts/values/badge.tsx';
import { Message } from '../../parts/values/message.tsx';
import styles from './detail.module.css';
import { explainResult, type ShownResult } from './explain-result.ts';

/** A table of the result of each field. */
export function FieldResults({ alert: { results, event, eventId, dedupKey } }: { alert: AlertDetail }) {
  const about =
    results === null
      ? explainNoResults(event !== null && dedupKey === null)
      : 'Resolved: the template or expression produced the value. Defaulted: the mapping’s default applies. Partial: a part of the template found nothing. Missing: the field has no value.';
  return (
    <Section title="Fields" about={about} wide>
      {results && (
        <DataTable label="Results by field" head={['Field', 'Result', 'Value', 'Reason']}>
          {Object.entries(results.fields).map(([name, result]) => (
            <Row
              key={name}
              name={name}
              result={result}
              firstEventId={eventId}
              isRequired={isRequired(`fields.${name as MappedField}`)}
            />
          ))}
          {Object.entries(results.custom).map(([name, result]) => (
            <Row
              key={`custom.${name}`}
              name={name}
              result={result}
              firstEventId={eventId}
              isRequired={false}
            />
          ))}
        </DataTable>
      )}
    </Section>
  );
}

/** Without a mapping, no alert has a key. */
const explainNoResults = (hasOwnEvent: boolean): string =>
  hasOwnEvent
    ? 'The integration had no mapping, so no field was filled. Create a mapping, then remap the earlier events.'
    : 'The results are not available: the events that provided the values have expired, or the database is busy.';

/** A field whose template has found only some of its values has a value all the same. */
function ResultBadge({ result: { result, value }, isRequired }: Pick<RowProps, 'result' | 'isRequired'>) {
  if (result !== 'missing') return <StateBadge state={result} />;
  return <Badge tone={isRequired ? 'bad' : 'plain'}>{value === null ? 'missing' : 'partial'}</Badge>;
}

interface RowProps {
  name: string;
  result: ShownResult;
  /** The first event of the alert. Values of other events name theirs. */
  firstEventId: string;
  isRequired: boolean;
}

const Row = ({ name, result, firstEventId, isRequired }: RowProps) => (
  <Table.Tr>
    <Table.Td className={styles.result}>{name}</Table.Td>
    <Table.Td className={styles.result}>
      <ResultBadge result={result} isRequired={isRequired} />
    </Table.Td>
    <Table.Td className={styles.value}>
      <Text size="sm" lineClamp={4}>
        <bdi>{result.value}</bdi>
      </Text>
    </Table.Td>
    <Table.Td className={styles.why}>
      {explainResult(result).map((sentence) => (
        <Text size="sm" key={sentence}>
          <bdi>
            <Message text={sentence} />
          </bdi>
        </Text>
      ))}
      {result.value !== null && result.eventId !== firstEventId && (
        <Text size="sm">
          In event{' '}
          <Anchor
            component={Link}
            href={`/events/${result.eventId}`}
            ff="monospace"
            size="sm"
            underline="always"
          >
            {shortEventId(result.eventId)}
          </Anchor>
        </Text>
      )}
    </Table.Td>
  </Table.Tr>
);
