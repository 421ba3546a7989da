import { Anchor } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { safeLink } from '../../parts/values/safe-link.ts';

/** The way to where a source says how it is set up; nothing when the address is none to be trusted. */
export function DocumentationLink({ address }: { address: string | null }) {
  const href = safeLink(address);
  if (href === null) return null;
  return (
    <Anchor href={href} target="_blank" rel="noreferrer noopener" size="sm" underline="always">
      Its documentation, at {new URL(href).hostname}{' '}
      <IconExternalLink size={13} aria-label="(opens in a new tab)" />
    </Anchor>
  );
}
