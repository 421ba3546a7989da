import { useEffect, useState } from 'react';
import type { UploadPreview } from '../../../http/types.ts';
import { FILE_OPTIONS } from '../upload-state.ts';
import type { Upload } from '../use-upload.ts';
import { type ColumnChoice, choiceErrors, toOptions } from './column-choice.ts';
import { forgetColumns, recallColumns, rememberColumns } from './remembered-columns.ts';

/**
 * Applies the columns that were last chosen for a file with the same header row, and returns functions that choose others.
 * Columns that were chosen for this file, and a file that was sent already, stay as they are.
 */
export function useColumnMemory(upload: Upload, preview: UploadPreview | undefined) {
  const { options, jobs, sending, fileNumber, change } = upload;
  const [recalledFor, setRecalledFor] = useState<number | null>(null);
  const isOpen = jobs.dryRun === null && jobs.import === null && sending === null;
  const hasChoice = Object.keys(FILE_OPTIONS).some(
    (name) => name !== 'expectedRows' && options[name as keyof typeof FILE_OPTIONS] !== '',
  );
  const recalled = preview && isOpen && !hasChoice ? recallColumns(preview) : null;
  const isUsable = recalled !== null && Object.keys(choiceErrors(recalled, options.mode)).length === 0;
  useEffect(() => {
    if (!preview || !recalled || !isUsable) return;
    setRecalledFor(fileNumber);
    change(toOptions(recalled, preview.columns));
  });
  return {
    isRecalled: recalledFor === fileNumber && hasChoice,
    choose(choice: ColumnChoice): void {
      if (!preview) return;
      rememberColumns(preview, choice);
      setRecalledFor(null);
      change(toOptions(choice, preview.columns));
    },
    reset(): void {
      if (preview) forgetColumns(preview);
      setRecalledFor(null);
      const { expectedRows: _, ...columns } = FILE_OPTIONS;
      change(columns);
    },
  };
}
