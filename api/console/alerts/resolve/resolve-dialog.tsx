import { Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { FormActions } from '../../parts/feedback/form-actions.tsx';
import { counted } from '../../text/quantities.ts';
import { countFiring, MAX_RESOLVED, type Resolved, useResolve } from './use-resolve.ts';

interface ResolveDialogProps {
  what: Resolved;
  onClose: () => void;
}

/** Asks why alerts are resolved, and says how many they are. Stays open until they are, because it shows a failure. */
export default function ResolveDialog({ what, onClose }: ResolveDialogProps) {
  const [reason, setReason] = useState('');
  const resolve = useResolve();
  const resolving = useMutation({ mutationFn: () => resolve(what, reason), onSuccess: onClose });
  const count = useCount(what);
  const close = () => !resolving.isPending && onClose();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    resolving.mutate();
  };
  const isMany = 'filter' in what;
  return (
    <Dialog title={isMany ? 'Resolve the matching alerts' : 'Resolve the alert'} onClose={close} centered>
      <Stack component="form" onSubmit={submit}>
        <Text size="sm">
          {isMany && <>{describe(count)} </>}
          Use this if the source does not report the end itself. If the source reports the problem again, a
          new alert opens.
        </Text>
        <Textarea
          label="Reason"
          description="Optional. Shown with the alert."
          data-autofocus
          autosize
          minRows={2}
          maxRows={8}
          maxLength={1_000}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        {resolving.isError && <Failure error={resolving.error} title="Could not resolve" />}
        {count.error && <Failure error={count.error} title="Could not count the alerts" />}
        <FormActions
          submit={isMany && count.data !== undefined ? `Resolve ${counted(count.data, 'alert')}` : 'Resolve'}
          cancel={close}
          isBusy={resolving.isPending}
          isIncomplete={isMany && !(count.data && count.data <= MAX_RESOLVED)}
        />
      </Stack>
    </Dialog>
  );
}

const useCount = (what: Resolved) =>
  useQuery({
    queryKey: ['firing alerts that match', what],
    queryFn: () => ('filter' in what ? countFiring(what.filter) : 1),
    enabled: 'filter' in what,
    gcTime: 0,
    retry: false,
  });

function describe({ data, error }: { data: number | undefined; error: Error | null }): string {
  if (error) return '';
  if (data === undefined) return 'Counting the alerts…';
  if (data === 0) return 'No firing alert matches the filters.';
  if (data > MAX_RESOLVED) return `${counted(data, 'firing alert')} match. Narrow the filters first.`;
  return `${counted(data, 'firing alert')} ${data === 1 ? 'matches' : 'match'} the filters of the list.`;
}
