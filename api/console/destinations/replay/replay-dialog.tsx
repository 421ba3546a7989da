import { Checkbox, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Destination, Job } from '../../http/types.ts';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { FormActions } from '../../parts/feedback/form-actions.tsx';
import { counted } from '../../text/quantities.ts';
import { isHeld } from '../use-destination.ts';
import { countReplay, type ReplayedMessages, useReplay } from './use-replay.ts';

interface ReplayDialogProps {
  destination: Destination;
  what: ReplayedMessages;
  /** Whether the message was delivered: then it can only be sent as a new one. */
  isDelivered?: boolean;
  onClose: () => void;
}

/** Says how many messages are sent again, and sends them. */
export default function ReplayDialog({ destination, what, isDelivered = false, onClose }: ReplayDialogProps) {
  const [asNew, setAsNew] = useState(isDelivered);
  const replay = useReplay(destination.id);
  const replaying = useMutation({ mutationFn: () => replay(what, asNew), onSuccess: onClose });
  const isMany = !('sequence' in what);
  const count = useQuery({
    queryKey: ['replayed messages', destination.id, what, asNew],
    queryFn: () => countReplay(destination.id, what, asNew),
    enabled: isMany,
    gcTime: 0,
    retry: false,
  });
  const close = () => !replaying.isPending && onClose();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    replaying.mutate();
  };
  const replayed = count.data?.replayed;
  return (
    <Dialog title={isMany ? 'Send messages again' : 'Send the message again'} onClose={close} centered>
      <Stack component="form" onSubmit={submit}>
        {isMany && <Text size="sm">{describe(count)}</Text>}
        <Text size="sm">
          {isMany ? 'They are sent, the oldest first, at half of the rate at most.' : ''} A message says what
          the alert was then.{' '}
          {destination.mode === 'latest' && 'It is sent only if there is no newer one about the same key.'}
        </Text>
        <Checkbox
          label="As new"
          description="With another ID, for a receiver that drops a message that it has seen"
          checked={asNew}
          disabled={isDelivered}
          onChange={({ currentTarget }) => setAsNew(currentTarget.checked)}
        />
        {isHeld(destination) && <Text size="sm">Resume the destination first.</Text>}
        {replaying.isError && <Failure error={replaying.error} title="Could not send again" />}
        {count.error && <Failure error={count.error} title="Could not count the messages" />}
        <FormActions
          submit={replayed === undefined ? 'Send again' : `Send ${counted(replayed, 'message')} again`}
          cancel={close}
          isBusy={replaying.isPending}
          isIncomplete={isHeld(destination) || (isMany && !replayed)}
        />
      </Stack>
    </Dialog>
  );
}

function describe({ data, error }: { data: Job['counts'] | undefined; error: Error | null }): string {
  if (error) return '';
  if (!data) return 'Counting the messages…';
  const { replayed = 0, superseded = 0, ends = 0 } = data;
  const parts = [`${counted(replayed, 'message')} can be sent again.`];
  if (superseded > 0)
    parts.push(
      `${counted(superseded, 'other')} ${superseded === 1 ? 'is' : 'are'} not: there is a newer one.`,
    );
  if (ends > 0) parts.push(`The end of ${counted(ends, 'alert')} is told too.`);
  return parts.join(' ');
}
