import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { wholeNumber } from '../../text/quantities.ts';

/** Returns the first entries of a list that is loaded as a whole, and the button that shows more, if there are more. */
export function useFirst<Entry>(all: readonly Entry[], step: number): { first: Entry[]; more: ReactNode } {
  const [shown, setShown] = useState(step);
  const left = all.length - shown;
  const more = left > 0 && (
    <Button variant="default" size="xs" onClick={() => setShown(shown + 4 * step)}>
      Show more ({wholeNumber(left)} left)
    </Button>
  );
  return { first: all.slice(0, shown), more };
}
