import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { announce } from '../../../parts/feedback/announce.tsx';
import { Failure } from '../../../parts/feedback/failure.tsx';
import { counted } from '../../../text/quantities.ts';
import type { QueueState } from './decision-queue.ts';

/** Whether all decisions are saved, and if not, why and what to do. */
export function Saving({ saving: { unsaved, failure }, send }: { saving: QueueState; send: () => unknown }) {
  const hasFailed = failure !== null && unsaved > 0;
  useEffect(() => {
    if (hasFailed) announce('Decisions could not be saved. They stay on this page.');
  }, [hasFailed]);
  if (hasFailed)
    return (
      <Failure
        error={failure}
        title={`Decisions about ${counted(unsaved, 'account')} are not saved. They stay here and are sent again`}
        retry={send}
      />
    );
  return (
    <Text size="sm" c="dimmed" data-testid="saving">
      {unsaved === 0 ? 'All decisions are saved.' : `Saving decisions about ${counted(unsaved, 'account')}…`}
    </Text>
  );
}
