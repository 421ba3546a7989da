/** Returns the address of the page of a person. */
export const personAddress = (email: string): string =>
  `/identities/person?${new URLSearchParams({ email })}`;
