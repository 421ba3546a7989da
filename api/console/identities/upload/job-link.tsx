import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** A link to the page of a job. */
export const JobLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <div>
    <Anchor component={Link} href={`/jobs/${id}`} size="sm">
      {children}
    </Anchor>
  </div>
);
