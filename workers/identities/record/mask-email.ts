/** Returns an email address as those see it who may not know whose it is: the first character and the domain. */
export const maskEmail = (email: string): string => email.replace(/^(.).*@/su, '$1***@');
