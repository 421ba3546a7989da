import { Button, Group, Stack, Text } from '@mantine/core';
import type { Webhook } from '../../http/types.ts';
import { Ago } from '../../parts/values/ago.tsx';
import type { TabProps } from '../webhook/tab-props.ts';

type Observed = NonNullable<NonNullable<Webhook['signature']>['observed']>;

const REASONS: Record<keyof Observed['reasons'], string> = {
  missing_header: 'without a signature',
  wrong_signature: 'with an invalid signature',
  old_timestamp: 'with an old timestamp',
  unverifiable: 'that could not be checked',
};

interface ObservedProps extends TabProps {
  /** Enforces the signature. Without it, there is no button. */
  enforce?: () => void;
  isPending?: boolean;
}

/** Shows how many events were signed since the last change, and enforces the signature of an integration that only observes. */
export function ObservedSignatures({ webhook, enforce, isPending = false }: ObservedProps) {
  const { signature } = webhook;
  if (!signature) return null;
  const { observed, mode, previousSecretExpiresAt } = signature;
  return (
    <Stack gap="xs">
      {previousSecretExpiresAt && (
        <Text size="sm">
          The previous secret is valid too and expires <Ago at={previousSecretExpiresAt} />.
          {observed && ` ${observed.verifiedByPrevious} events were signed with it.`}
        </Text>
      )}
      {observed && (
        <Text size="sm">
          Since <Ago at={signature.changedAt} />: {describe(observed, mode)}
          {observed.lastRejectedAt && (
            <>
              {' '}
              Last one <Ago at={observed.lastRejectedAt} />.
            </>
          )}
        </Text>
      )}
      {mode === 'observe' && enforce && (
        <Group gap="sm">
          <Button variant="default" onClick={enforce} loading={isPending}>
            Enforce
          </Button>
          <Text size="sm" c="dimmed">
            Rejects events without a valid signature from now on.
          </Text>
        </Group>
      )}
    </Stack>
  );
}

function describe({ verified, rejected, reasons }: Observed, mode: 'enforce' | 'observe'): string {
  const signed = `${verified} events with a valid signature`;
  if (rejected === 0) return `${signed}, none without.`;
  const parts = Object.entries(REASONS).flatMap(([reason, text]) => {
    const count = reasons[reason as keyof typeof REASONS];
    return count > 0 ? [`${count} ${text}`] : [];
  });
  const outcome = mode === 'observe' ? 'would be rejected' : 'rejected';
  return `${signed}, ${rejected} ${outcome}: ${parts.join(', ')}.`;
}
