import { Skeleton, Stack } from '@mantine/core';

/** A placeholder in the shape of the content that is loading, so that the layout does not shift. */
export const Loading = ({ rows = 6 }: { rows?: number }) => (
  <Stack gap="sm" aria-busy="true" aria-label="Loading" role="status">
    {Array.from({ length: rows }, (_, number) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the skeletons are identical
      <Skeleton key={number} height={number === 0 ? 34 : 42} width={number === 0 ? '40%' : '100%'} />
    ))}
  </Stack>
);
