import { Stack } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { useMay } from '../../http/use-current-key.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { NotFound } from '../../parts/feedback/empty.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Accounts } from './accounts.tsx';
import { OwnAlerts } from './own-alerts.tsx';

/** The page of a person: the accounts, the alerts that concern them, and how the accounts changed owners. */
export default function PersonPage() {
  const [search] = useSearchParams();
  const mayReadAlerts = useMay('alerts:read');
  const email = search.get('email');
  if (!email) return <NotFound />;
  return (
    <>
      <PageHead title={email} above={<BackLink href="/identities">Identities</BackLink>}>
        The accounts of this person, and the alerts that they own.
      </PageHead>
      <Stack key={email}>
        {mayReadAlerts && <OwnAlerts email={email} />}
        <Accounts email={email} />
      </Stack>
    </>
  );
}
