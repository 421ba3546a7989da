import { useQueryClient } from '@tanstack/react-query';
import { requestJson } from '../http/request.ts';
import type { ApiKey } from '../http/types.ts';
import { announce } from '../parts/feedback/announce.tsx';
import { Confirm } from '../parts/feedback/confirm.tsx';
import { signOut } from '../session/session.ts';

/** A button that revokes a key. Revoking the current key signs out. */
export function RevokeKey({ apiKey, isCurrent }: { apiKey: ApiKey; isCurrent: boolean }) {
  const cache = useQueryClient();
  const revoke = async () => {
    await requestJson(`/v2/keys/${apiKey.id}`, { method: 'DELETE' });
    if (isCurrent) return signOut('You revoked the key that you were signed in with.');
    announce(`Revoked ${apiKey.name}`);
    await cache.invalidateQueries({ queryKey: ['/v2/keys'] });
  };
  return (
    <Confirm
      label="Revoke"
      aria-label={`Revoke ${apiKey.name}`}
      title={`Revoke ${apiKey.name}?`}
      onConfirm={revoke}
    >
      {isCurrent && (
        <p>
          <b>
            You are signed in with this key. Revoking it signs you out, and you need another key to sign in
            again.
          </b>
        </p>
      )}
      Requests with this key are rejected within 5 seconds. You cannot undo this, but you can create a new
      key.
    </Confirm>
  );
}
