/** The API's path of the identities. In a file of its own: pages that only need the path do not load the list. */
export const IDENTITIES_PATH = '/v2/developers/identities';
