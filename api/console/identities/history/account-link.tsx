import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useMay } from '../../http/use-current-key.ts';
import { type AccountText, historyAddress } from './use-history.ts';

/** The name of an account, with a link to its history if the key may read it. */
export function AccountLink({ integrationId, identity }: AccountText) {
  const name = <bdi>{identity}</bdi>;
  if (!useMay('developer_records:read')) return name;
  return (
    <Anchor component={Link} href={historyAddress({ integrationId, identity })} inherit>
      {name}
    </Anchor>
  );
}
