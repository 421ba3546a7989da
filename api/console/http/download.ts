import { fileNameOf } from './file-name.ts';
import { request } from './request.ts';
import { saveFile } from './save-file.ts';

/**
 * Downloads a file of the API under the name that the server gives it. A plain link is not possible because the key is
 * sent in a header, never in an address.
 */
export async function download(path: string): Promise<void> {
  const response = await request(path);
  const name = fileNameOf(response.headers.get('content-disposition'), 'muster.csv');
  saveFile(await response.blob(), name);
}
