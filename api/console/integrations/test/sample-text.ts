/** Where the payload lies that somebody works with, an integration its own; it ends with the tab. */
const nameOf = (webhookId: string): string => `muster.paste.${webhookId}`;

/** The payload that was last tried with this integration, here or over its mapping, as text; null when there is none. */
export const lastSample = (webhookId: string): string | null =>
  sessionStorage.getItem(nameOf(webhookId)) || null;

/** Keeps a payload for the other pages of the integration. One that is too large for the browser's store is not kept. */
export function keepSample(webhookId: string, text: string): void {
  try {
    sessionStorage.setItem(nameOf(webhookId), text);
  } catch {
    sessionStorage.removeItem(nameOf(webhookId));
  }
}
