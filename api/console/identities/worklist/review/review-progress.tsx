import { Text } from '@mantine/core';
import { ProgressBar } from '../../../parts/feedback/progress-bar.tsx';
import { wholeNumber } from '../../../text/quantities.ts';
import type { Progress } from './account-state.ts';

const KINDS = [
  ['owner', 'owner'],
  ['bot', 'bot'],
  ['left', 'left'],
  ['later', 'later'],
  ['rejected', 'none of the candidates'],
] as const;

/** How many accounts are decided, and how. */
export function ReviewProgress({ progress }: { progress: Progress }) {
  const { total, done } = progress;
  const kinds = KINDS.filter(([kind]) => progress[kind] > 0).map(
    ([kind, words]) => `${wholeNumber(progress[kind])} ${words}`,
  );
  return (
    <>
      <ProgressBar
        label="Decided"
        share={total === 0 ? 1 : done / total}
        amount={`${wholeNumber(done)} of ${wholeNumber(total)}`}
      />
      <Text size="sm" c="dimmed" mt={4}>
        {[...kinds, `${wholeNumber(total - done)} open`].join(', ')}
      </Text>
    </>
  );
}
