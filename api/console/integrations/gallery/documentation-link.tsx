import { Anchor } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { safeLink } from '../../parts/values/safe-link.ts';

/** A link to the source's setup documentation. Renders nothing if the address is not a safe link. */
export function DocumentationLink({ address }: { address: string | null }) {
  const href = safeLink(address);
  if (href === null) return null;
  return (
    <Anchor href={href} target="_blank" rel="noreferrer noopener" size="sm" underline="always">
      Documentation at {new URL(href).hostname}{' '}
      <IconExternalLink size={13} aria-label="(opens in a new tab)" />
    </Anchor>
  );
}
