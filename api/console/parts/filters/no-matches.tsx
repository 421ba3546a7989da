import { Button } from '@mantine/core';
import { Empty } from '../feedback/empty.tsx';

/** What stands where the filters of a live list let nothing through. `what`: "alert". */
export const NoMatches = ({ what, clear }: { what: string; clear: () => void }) => (
  <Empty
    title={`No ${what} fits`}
    action={
      <Button variant="default" onClick={clear}>
        Clear filters
      </Button>
    }
  >
    There are none with these filters; new ones appear here by themselves.
  </Empty>
);
