const MAX_ADDRESS = 254;
/** An address without comments, quotes or letters outside ASCII, which not every server takes. So it cannot end a header or a command. */
const ADDRESS =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;
const NAMED = /^(?<name>[^<>"\p{Cc}]*)<(?<address>[^<>]+)>$/u;

export const isMailAddress = (text: string): boolean => text.length <= MAX_ADDRESS && ADDRESS.test(text);

export const domainOf = (address: string): string =>
  address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** A mailbox, as a mail shows it. */
export interface Mailbox {
  name: string;
  address: string;
}

/** Reads `muster@example.com` or `Muster <muster@example.com>`; null: it is neither. */
export function parseMailbox(text: string): Mailbox | null {
  const { name = '', address = text } = NAMED.exec(text.trim())?.groups ?? {};
  return isMailAddress(address.trim()) ? { name: name.trim(), address: address.trim() } : null;
}

const SCHEME = 'mailto:';

/** Returns a URL of recipients. */
export const mailtoOf = (recipients: readonly string[]): string => SCHEME + recipients.join(',');

/** Returns the recipients of such a URL; null: it is another URL. */
export const recipientsIn = (url: string): string[] | null =>
  url.startsWith(SCHEME) ? url.slice(SCHEME.length).split(',') : null;
