/** The name that `Content-Disposition` gives a file (RFC 6266), or the other one. Never a path. */
export function fileNameOf(disposition: string | null, otherwise: string): string {
  const encoded = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition ?? '');
  const name = (encoded ? decoded(encoded) : null) ?? plain?.[1] ?? plain?.[2] ?? otherwise;
  return name.replace(/^.*[/\\]/, '') || otherwise;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
