import { Anchor } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { fillAccountUrl } from '../../../../workers/text/account-url.ts';
import { labelOf, useAccountSystems } from './use-account-systems.ts';

interface LinkProps {
  integrationId: number | string;
  identity: string;
}

/** A space and a link to the page of an account in its account system; nothing if it has none. */
export function AccountPageLink({ integrationId, identity }: LinkProps) {
  const systems = useAccountSystems();
  const pattern = systems.find((one) => one.integrationId === Number(integrationId))?.accountUrl;
  const url = pattern ? fillAccountUrl(pattern, identity) : null;
  if (url === null) return null;
  return (
    <>
      {' '}
      <Anchor
        href={url}
        target="_blank"
        rel="noreferrer"
        inherit
        title={url}
        aria-label={`${identity} in ${labelOf(systems, integrationId)}, opens another tab`}
      >
        <IconExternalLink size={14} style={{ verticalAlign: '-2px' }} />
      </Anchor>
    </>
  );
}
