import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../../http/request.ts';
import { fileChanged } from '../../../http/send-file.ts';
import type { One, UploadPreview } from '../../../http/types.ts';
import { IDENTITIES_PATH } from '../../identities-path.ts';
import { previewQuery } from '../upload-state.ts';
import type { Upload } from '../use-upload.ts';
import { hasNoPreview, isWorkbook, WORKBOOK_BYTES, WORKBOOK_TYPE } from './workbook-file.ts';

/** As much of a file as the API previews. */
const HEAD_BYTES = 128 * 1024;
/** Loads how the API reads the start of the chosen file, or a workbook. The rest of the file is not read. */
export function usePreview({ file, fileNumber, options }: Pick<Upload, 'file' | 'fileNumber' | 'options'>) {
  const readsAll = file !== null && isWorkbook(file);
  const query = previewQuery(options, readsAll || (file?.size ?? 0) <= HEAD_BYTES);
  return useQuery({
    queryKey: ['upload preview', fileNumber, query],
    enabled: file !== null && !hasNoPreview(file),
    queryFn: async ({ signal }) => {
      // Read here because `fetch` does not report why it cannot read a file.
      const csv = await (file as File)
        .slice(0, readsAll ? WORKBOOK_BYTES : HEAD_BYTES)
        .arrayBuffer()
        .catch(() => Promise.reject(fileChanged()));
      const path = `${IDENTITIES_PATH}/preview`;
      const headers = { 'content-type': readsAll ? WORKBOOK_TYPE : 'text/csv' };
      const sent = { method: 'POST', query, csv, headers, signal } as const;
      const { data } = await requestJson<One<UploadPreview>>(path, sent);
      return data;
    },
    // While other options are tried, the table stays. Another file starts over.
    placeholderData: (previous, last) => (last?.queryKey[1] === fileNumber ? previous : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
