import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { accountSystemAddress, useSystemLabels } from './use-account-systems.ts';

interface NameProps {
  integrationId: number | string;
  /** Whether it leads to the page of the account system. */
  isLink?: boolean;
}

/** An account system as people call it: `GitHub (7)`, or `7` if it has no name. */
export function AccountSystemName({ integrationId, isLink = false }: NameProps) {
  const label = useSystemLabels()(integrationId);
  const text = <bdi style={{ overflowWrap: 'anywhere' }}>{label}</bdi>;
  if (!isLink) return text;
  return (
    <Anchor
      component={Link}
      href={accountSystemAddress(integrationId)}
      inherit
      title="View this account system"
    >
      {text}
    </Anchor>
  );
}
