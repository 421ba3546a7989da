/** Returns an email address as those see it who may not know whose it is: the first character and the domain. */
export const maskEmail = (email: string): string => email.replace(/^(.).*@/su, '$1***@');

/** Returns the value of a field of an alert, as those see it who may read alerts and not identities. */
export const maskOwner = (field: string, value: string | null): string | null =>
  field === 'ownerEmail' && value !== null ? maskEmail(value) : value;
