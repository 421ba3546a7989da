/** The address of the signed-in key, which every page needs. */
export const CURRENT_KEY = '/v2/keys/current';
