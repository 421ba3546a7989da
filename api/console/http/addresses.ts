// The addresses of what is requested early: the code that does so must not import that of a page.

/** The address of the signed-in key, which every page needs. */
export const CURRENT_KEY = '/v2/keys/current';
/** The address of the queues, the workers and the firing alerts. */
export const HEALTH = '/v2/health';
