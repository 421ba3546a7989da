/** Returns the address of the page of decisions about accounts of an account system. */
export const decisionsAddress = (integrationId: number | string): string =>
  `/identities/decisions?${new URLSearchParams({ integrationId: String(integrationId) })}`;
