/** The store did not respond in time, could not be reached, or asked to slow down. The same call may succeed later. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** The store has no space left. */
export class StoreFull extends Error {
  override name = 'StoreFull';
}

/** Returns the code of a system error, such as `ENOENT`; an empty text if what was thrown has none. */
export const errorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT']);

/** Returns whether the store, or a disk of this machine, has no space left. */
export const isStoreFull = (error: unknown): boolean =>
  error instanceof StoreFull || FULL_CODES.has(errorCode(error));

/** Returns whether the store may work again soon: the request itself is not known to be invalid. */
export const isStoreUnavailable = (error: unknown): boolean => error instanceof StoreUnavailable;
