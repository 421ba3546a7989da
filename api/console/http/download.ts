import { fileNameOf } from './file-name.ts';
import { request } from './request.ts';

/**
 * Downloads a file of the API under the name that the server gives it. A plain link is not possible because the key is
 * sent in a header, never in an address.
 */
export async function download(path: string): Promise<void> {
  const response = await request(path);
  const name = fileNameOf(response.headers.get('content-disposition'), 'muster.csv');
  saveFile(await response.blob(), name);
}

/** Makes the browser save a file. The object URL is released after the download has started. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
