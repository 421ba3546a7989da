/** Returns an address that is safe to link to, https: only, or null. */
export function safeLink(text: string | null | undefined): string | null {
  if (!text || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' ? url.href : null;
}
