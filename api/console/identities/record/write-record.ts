import { requestJson } from '../../http/request.ts';
import type { Accepted, Identity } from '../../http/types.ts';
import { PATH } from '../use-identities.ts';

/** What the API answers to a change: its counts, or none when no worker got to it in time. */
export interface Written extends Accepted {
  counts?: Record<string, number>;
}

type IdentityKey = Pick<Identity, 'integrationId' | 'identity'>;

export interface RecordText {
  email: string;
  integrationId: string;
  identity: string;
}

/** Says to whom an account belongs. */
export const setOwner = ({ integrationId, ...record }: RecordText, key: string): Promise<Written> =>
  write('PATCH', key, { ...record, integrationId: asNumber(integrationId) });

/** Says that an account belongs to nobody. */
export const removeOwner = ({ integrationId, identity }: IdentityKey, key: string): Promise<Written> =>
  write('DELETE', key, { integrationId, identity });

const write = (method: 'PATCH' | 'DELETE', key: string, record: object): Promise<Written> =>
  requestJson<Written>(PATH, {
    method,
    json: [record],
    headers: { 'idempotency-key': key },
  });

/** What is no number that JSON holds exactly stays text, for the API to say so. */
function asNumber(text: string): number | string {
  const number = Number(text);
  return /^\d+$/.test(text.trim()) && Number.isSafeInteger(number) ? number : text;
}
