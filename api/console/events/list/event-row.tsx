import { Text } from '@mantine/core';
import type { Event } from '../../http/types.ts';
import type { WebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { WebhookName } from '../../integrations/webhook/webhook-name.tsx';
import { LinkRow, RowLink } from '../../parts/lists/link-row.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { Message } from '../../parts/values/message.tsx';
import { byteSize } from '../../text/quantities.ts';
import { shortEventId } from '../event-id.ts';
import { describeFilter } from '../filter-reason.ts';
import styles from './list.module.css';

/** One row of an event list. `names` is null if all events belong to one integration. */
export function EventRow({ event, names }: { event: Event; names: WebhookNames | null }) {
  const reason = reasonOf(event);
  return (
    <LinkRow>
      <Table.Td className={styles.event}>
        <RowLink
          href={`/events/${event.id}`}
          {...(names ? {} : { more: { webhookId: event.webhookId } })}
          ff="monospace"
        >
          {shortEventId(event.id)}
        </RowLink>
        {reason && (
          <Text size="sm" c="dimmed" lineClamp={1}>
            <bdi>
              <Message text={reason} />
            </bdi>
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <StateBadge state={event.state} />
      </Table.Td>
      {names && (
        <Table.Td className={styles.integration}>
          <WebhookName id={event.webhookId} names={names} />
        </Table.Td>
      )}
      <Table.Td>{event.alertIds.length}</Table.Td>
      <Table.Td className={styles.short}>{byteSize(event.bytes)}</Table.Td>
      <Table.Td className={styles.short}>
        <Ago at={event.receivedAt} />
      </Table.Td>
    </LinkRow>
  );
}

/** Returns why the event has no alert, or fewer than it could; undefined if there is nothing to say. */
const reasonOf = ({ faults, filter }: Event): string | undefined =>
  faults[0]?.message ?? (filter ? describeFilter(filter) : undefined);
