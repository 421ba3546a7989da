/** Returns the file name in a `Content-Disposition` header (RFC 6266), or the fallback. Never returns a path. */
export function fileNameOf(disposition: string | null, fallback: string): string {
  const encoded = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition ?? '');
  const name = (encoded ? decoded(encoded) : null) ?? plain?.[1] ?? plain?.[2] ?? fallback;
  return name.replace(/^.*[/\\]/, '') || fallback;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
