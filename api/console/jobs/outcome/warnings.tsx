import { Alert, List } from '@mantine/core';
import type { Job } from '../../http/types.ts';
import { Message } from '../../parts/values/message.tsx';
import { counted } from '../../text/quantities.ts';

/** The warnings of a job; renders nothing if there are none. */
export const Warnings = ({ warnings }: Pick<Job, 'warnings'>) =>
  warnings.length === 0 ? null : (
    <Alert color="yellow" title={counted(warnings.length, 'warning')}>
      <List size="sm">
        {warnings.map(({ code, message }) => (
          <List.Item key={`${code} ${message}`}>
            <Message text={message} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
