import { Skeleton, Stack } from '@mantine/core';

/** The shape of what is about to be there, so that the page does not jump. */
export const Loading = ({ rows = 6 }: { rows?: number }) => (
  <Stack gap="sm" aria-busy="true" aria-label="Loading" role="status">
    {Array.from({ length: rows }, (_, number) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <Skeleton key={number} height={number === 0 ? 34 : 42} width={number === 0 ? '40%' : '100%'} />
    ))}
  </Stack>
);
