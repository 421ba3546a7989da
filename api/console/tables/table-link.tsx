import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useMay } from '../http/use-current-key.ts';
import { tableAddress } from './use-table.ts';

/** The name of a lookup table, with a link to its page if the key may read it. */
export function TableLink({ name }: { name: string }) {
  if (!useMay('tables:read', 'tables:write')) return name;
  return (
    <Anchor component={Link} href={tableAddress(name)} inherit>
      {name}
    </Anchor>
  );
}
