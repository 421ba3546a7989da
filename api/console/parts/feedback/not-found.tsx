import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { Empty } from './empty.tsx';

/** The page for an unknown address. */
export const NotFound = () => (
  <Empty
    title="Page not found"
    level={1}
    action={
      <Button component={Link} href="/">
        Go to the start page
      </Button>
    }
  >
    The address is wrong, the content was deleted, or this key does not have the scope to view it.
  </Empty>
);
