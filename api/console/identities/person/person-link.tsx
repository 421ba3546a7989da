import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useMay } from '../../http/use-current-key.ts';
import { personAddress } from './person-address.ts';

/** An email address, with a link to the page of the person. A key that does not read identities sees it masked, and without a link. */
export function PersonLink({ email }: { email: string }) {
  const text = <bdi>{email}</bdi>;
  if (!useMay('developer_records:read')) return text;
  return (
    <Anchor component={Link} href={personAddress(email)} inherit>
      {text}
    </Anchor>
  );
}
