import { List } from '@mantine/core';
import type { Event } from '../http/types.ts';

/** What went wrong, in words; nothing when nothing did. The words name the field already. */
export const FaultList = ({ faults }: Pick<Event, 'faults'>) =>
  faults.length === 0 ? null : (
    <List size="sm" mt="xs" spacing={4}>
      {faults.map(({ field, code, message }) => (
        <List.Item key={`${field} ${code} ${message}`}>
          <bdi>{message}</bdi>
        </List.Item>
      ))}
    </List>
  );
