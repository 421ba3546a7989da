import type { IdentityKey } from './key-order.js';

/** MariaDB turns longer lists into a join with a temporary table. */
const MAX_LIST = 1_000;

/** Splits keys by integration, into lists of limited length. */
export function* listsOf(keys: readonly IdentityKey[]): Generator<IdentityKey[]> {
  let list: IdentityKey[] = [];
  for (const key of keys) {
    const ends = list.length === MAX_LIST || (list[0] && list[0].integrationId !== key.integrationId);
    if (ends) {
      yield list;
      list = [];
    }
    list.push(key);
  }
  if (list.length > 0) yield list;
}
