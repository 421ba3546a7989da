import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { LookedUp } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';
import { AccountLink } from '../identities/history/account-link.tsx';
import { partsOfKey, rowAddress } from './row-address.ts';

/** Characters of a part. A key has up to 1,000. */
const SHOWN = 120;

interface KeyProps extends Pick<LookedUp, 'table' | 'integrationId'> {
  text: string;
  /** Whether there is a row with it. */
  isFound?: boolean;
}

/** A key that was looked up, with a link to its row or to the history of the account, as far as the key of the user may read it. */
export function LookedUpKey({ table, integrationId, text, isFound = false }: KeyProps) {
  const mayReadTables = useMay('tables:read', 'tables:write');
  // Other keys see addresses in it masked, and a masked key finds no row.
  const isWhole = useMay('developer_records:read') || !text.includes('***');
  if (integrationId !== null)
    return (
      <code>
        <AccountLink integrationId={String(integrationId)} identity={text} />
      </code>
    );
  const parts = partsOfKey(text).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts are in the order of the key columns
    <code key={place}>
      {place > 0 && ', '}
      <bdi title={part.length > SHOWN ? part : undefined}>
        {part.length > SHOWN ? `${part.slice(0, SHOWN)}…` : part}
      </bdi>
    </code>
  ));
  if (table === null || !isFound || !mayReadTables || !isWhole) return parts;
  return (
    <Anchor component={Link} href={rowAddress(table, text)} inherit underline="always">
      {parts}
    </Anchor>
  );
}
