import { useQueryClient } from '@tanstack/react-query';
import { requestJson } from '../http/request.ts';
import type { ApiKey } from '../http/types.ts';
import { announce } from '../parts/feedback/announce.tsx';
import { Confirm } from '../parts/feedback/confirm.tsx';
import { signOut } from '../session/session.ts';

/** Ends a key for good. One's own signs out. */
export function RevokeKey({ apiKey, isCurrent }: { apiKey: ApiKey; isCurrent: boolean }) {
  const cache = useQueryClient();
  const revoke = async () => {
    await requestJson(`/v2/keys/${apiKey.id}`, { method: 'DELETE' });
    if (isCurrent) return signOut('You have revoked the key that you were signed in with.');
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
            This is the key that you are signed in with: it signs you out, and you need another one to come
            back.
          </b>
        </p>
      )}
      Whatever uses it is refused within 5 seconds. This cannot be undone; a new key can be made at any time.
    </Confirm>
  );
}
