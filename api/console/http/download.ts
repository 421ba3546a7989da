import { fileNameOf } from './file-name.ts';
import { request } from './request.ts';
import { saveFile } from './save-file.ts';

/**
 * Saves what lies at a path of the API under the name that the server gives it. A plain link would not do: the key is
 * in a header, and in no address.
 */
export async function download(path: string): Promise<void> {
  const response = await request(path);
  const name = fileNameOf(response.headers.get('content-disposition'), 'muster.csv');
  saveFile(await response.blob(), name);
}
