import { useQueryClient } from '@tanstack/react-query';
import { request } from '../../http/request.ts';
import type { AccountSystem } from '../../http/types.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { ACCOUNT_SYSTEMS_PATH } from './use-account-systems.ts';

/** A button that takes the name of an account system away. */
export function DeleteName({ system: { integrationId, name, revision } }: { system: AccountSystem }) {
  const cache = useQueryClient();
  const remove = async () => {
    await request(`${ACCOUNT_SYSTEMS_PATH}/${integrationId}`, {
      method: 'DELETE',
      headers: { 'if-match': `"${revision}"` },
    });
    await cache.invalidateQueries({ queryKey: [ACCOUNT_SYSTEMS_PATH] });
    announce(`Deleted the name ${name}`);
  };
  return (
    <Confirm label="Delete name" title="Delete this name?" onConfirm={remove}>
      The account system {integrationId} is then shown by its number. Its accounts stay.
    </Confirm>
  );
}
