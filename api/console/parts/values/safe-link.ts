/** The address when a browser may be sent there from here, https: only; null otherwise. */
export function safeLink(text: string | null | undefined): string | null {
  if (!text || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' ? url.href : null;
}
