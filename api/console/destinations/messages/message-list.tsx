import type { Destination, Message } from '../../http/types.ts';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { FilterBar } from '../../parts/filters/filter-bar.tsx';
import { NoMatches } from '../../parts/filters/no-matches.tsx';
import { countSet, onlyValue, useUrlFilters } from '../../parts/filters/url-filters.ts';
import { ValueFilter } from '../../parts/filters/value-filter.tsx';
import { LinkRow, RowLink } from '../../parts/lists/link-row.tsx';
import { LiveList } from '../../parts/lists/live-list.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { useLivePages } from '../../parts/lists/use-pages.ts';
import { Ago } from '../../parts/values/ago.tsx';
import { destinationEntry, isHeld, useDestination } from '../use-destination.ts';
import { ChangeBadge, MessageState, NextAttempt, SubjectLink } from './message-parts.tsx';
import { describeWhy, MESSAGE_STATES } from './message-words.ts';
import styles from './messages.module.css';

const MessageDialog = lazyPart(() => import('./message-dialog.tsx'));

const REFRESH_MS = 5_000;
const STATES = MESSAGE_STATES.map((value) => ({ value }));

/** The messages of a destination, the newest first. The address has the open one. */
export function MessageList({ destination }: { destination: Destination }) {
  const { id } = destination;
  const { filters, change } = useUrlFilters(['state', 'reason', 'message']);
  const state = onlyValue(filters.state);
  const reason = onlyValue(filters.reason);
  const pages = useLivePages<Message>(`${destinationEntry(id).path}/messages`, { state, reason }, REFRESH_MS);
  const opened = onlyValue(filters.message);
  const clear = () => change({ state: [], reason: [] });
  return (
    <>
      <FilterBar count={countSet({ state: filters.state, reason: filters.reason })} clear={clear}>
        <ValueFilter
          label="State"
          values={filters.state}
          change={(values) => change({ state: values })}
          options={STATES}
          isSingle
        />
        {reason && (
          <ValueFilter
            label="Reason"
            values={filters.reason}
            change={(values) => change({ reason: values })}
            options={[{ value: reason, label: describeWhy(reason) }]}
            isSingle
          />
        )}
      </FilterBar>
      <LiveList
        key={`${state} ${reason}`}
        pages={pages}
        what="messages"
        head={['Change', 'Alert or job', 'Changed', 'State', 'Attempts', 'Next attempt']}
        row={(message) => <Row key={message.id} message={message} />}
        empty={state || reason ? <NoMatches what="message" clear={clear} /> : <NoMessages />}
      />
      <OnDemand>
        {opened && (
          <MessageDialog
            destinationId={id}
            sequence={opened}
            message={pages.rows.find(({ sequence }) => String(sequence) === opened)}
            isHeld={isHeld(destination)}
            onClose={() => change({ message: [] })}
          />
        )}
      </OnDemand>
    </>
  );
}

const NoMessages = () => (
  <Empty title="No messages yet">
    Each change of an alert that this destination could be told of appears here, with what became of it, and
    each job that names it as its callback. “Test” sends a message at once.
  </Empty>
);

function Row({ message }: { message: Message }) {
  // A row of a live list renders again only if its own data changes.
  const { data: destination } = useDestination(message.destinationId);
  return (
    <LinkRow>
      <Table.Td>
        <RowLink
          href={`/destinations/${message.destinationId}`}
          more={{ message: String(message.sequence) }}
          aria-label={`Message ${message.sequence}: ${message.change}`}
        >
          <ChangeBadge change={message.change} />
        </RowLink>
      </Table.Td>
      <Table.Td>
        <SubjectLink message={message} />
      </Table.Td>
      <Table.Td>
        <Ago at={message.createdAt} />
      </Table.Td>
      <Table.Td className={styles.why}>
        <MessageState message={message} />
      </Table.Td>
      <Table.Td>{message.attempts}</Table.Td>
      <Table.Td>
        <NextAttempt dueAt={message.dueAt} isHeld={destination !== undefined && isHeld(destination)} />
      </Table.Td>
    </LinkRow>
  );
}
