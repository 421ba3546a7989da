import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { Empty } from './empty.tsx';

export const NotFound = () => (
  <Empty
    title="Nothing is here"
    action={
      <Button component={Link} href="/">
        To the beginning
      </Button>
    }
  >
    The address is not right, what was here is gone, or this key has no scope to see it.
  </Empty>
);
