import { requestJson } from '../../http/request.ts';
import type { Accepted, Identity } from '../../http/types.ts';
import { IDENTITIES_PATH } from '../identities-path.ts';

/** The response to a change. `counts` is absent if no worker finished the change in time. */
export interface WriteResponse extends Accepted {
  counts?: Record<string, number>;
}

type IdentityKey = Pick<Identity, 'integrationId' | 'identity'>;

export interface RecordText {
  email: string;
  integrationId: string;
  identity: string;
}

/** Sets the owner of an account. */
export const setOwner = ({ integrationId, ...record }: RecordText, key: string): Promise<WriteResponse> =>
  write('PATCH', key, { ...record, integrationId: asNumber(integrationId) });

/** Removes the owner of an account. */
export const removeOwner = ({ integrationId, identity }: IdentityKey, key: string): Promise<WriteResponse> =>
  write('DELETE', key, { integrationId, identity });

const write = (method: 'PATCH' | 'DELETE', key: string, record: object): Promise<WriteResponse> =>
  requestJson<WriteResponse>(IDENTITIES_PATH, {
    method,
    json: [record],
    headers: { 'idempotency-key': key },
  });

/** Returns the text unchanged if JSON can't hold it as an exact integer; the API then reports the error. */
function asNumber(text: string): number | string {
  const number = Number(text);
  return /^\d+$/.test(text.trim()) && Number.isSafeInteger(number) ? number : text;
}
