import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { AccountSystem, Page } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';

export const ACCOUNT_SYSTEMS_PATH = '/v2/integrations';

/** Loads the account systems that have names: there are at most 1,000. Without the scope, and until they are loaded, there are none. */
export function useAccountSystems(): readonly AccountSystem[] {
  return useAccountSystemList().data?.data ?? NONE;
}

export function useAccountSystemList() {
  const may = useMay('developer_records:read');
  return useQuery({
    queryKey: [ACCOUNT_SYSTEMS_PATH],
    queryFn: ({ signal }) =>
      requestJson<Page<AccountSystem>>(ACCOUNT_SYSTEMS_PATH, { query: { pageSize: 1000 }, signal }),
    enabled: may,
    staleTime: 30_000,
  });
}

const NONE: readonly AccountSystem[] = [];

/** Returns a function that returns how an account system is shown: `GitHub (7)`, or `7` if it has no name. */
export function useSystemLabels(): (integrationId: number | string) => string {
  const systems = useAccountSystems();
  return (integrationId) => labelOf(systems, integrationId);
}

export function labelOf(systems: readonly AccountSystem[], integrationId: number | string): string {
  const found = systems.find((one) => one.integrationId === Number(integrationId));
  return found ? `${found.name} (${found.integrationId})` : String(integrationId);
}

/** Returns the number that a person means: by the number itself, a name or a label; other texts as they are. */
export function numberOf(systems: readonly AccountSystem[], text: string): string {
  const wanted = text.trim();
  const exact = systems.find(({ name }) => name === wanted);
  const similar = systems.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const label = systems.find((one) => labelOf(systems, one.integrationId) === wanted);
  const found = exact ?? label ?? (similar.length === 1 ? similar[0] : undefined);
  return found ? String(found.integrationId) : wanted;
}

export const accountSystemAddress = (integrationId: number | string): string =>
  `/identities/systems/${integrationId}`;
