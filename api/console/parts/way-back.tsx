import { Anchor } from '@mantine/core';
import { Link } from 'wouter';

/** Above a page's title: the list that it is from. */
export const WayBack = ({ href, children }: { href: string; children: string }) => (
  <>
    <Anchor component={Link} href={href} c="dimmed">
      {children}
    </Anchor>{' '}
    /
  </>
);
