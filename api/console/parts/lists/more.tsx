import { Button, Group } from '@mantine/core';

interface MoreProps {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** The way to the next page of a list behind a cursor. */
export const More = ({ hasNextPage, isFetchingNextPage, fetchNextPage }: MoreProps) =>
  hasNextPage ? (
    <Group justify="center" mt="md">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
        Show more
      </Button>
    </Group>
  ) : null;
