import { Button } from '@mantine/core';
import { Empty } from '../feedback/empty.tsx';

/** The empty state of a live list whose filters match nothing. `what` is a singular noun such as "alert". */
export const NoMatches = ({ what, clear }: { what: string; clear: () => void }) => (
  <Empty
    title={`No matching ${what}s`}
    action={
      <Button variant="default" onClick={clear}>
        Clear filters
      </Button>
    }
  >
    No {what}s match these filters. New ones appear here automatically.
  </Empty>
);
