import { fileNameOf } from './file-name.ts';
import { request } from './request.ts';

const REVOKE_AFTER_MS = 60_000;

/**
 * Saves what lies at a path of the API under the name that the server gives it. A plain link would not do: the key is
 * in a header, and in no address.
 */
export async function download(path: string): Promise<void> {
  const response = await request(path);
  const name = fileNameOf(response.headers.get('content-disposition'), 'muster.csv');
  save(await response.blob(), name);
}

function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}
