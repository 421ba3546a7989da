/** The API previews complete workbooks only, and no larger ones. */
export const WORKBOOK_BYTES = 8 * 1024 * 1024;
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Returns whether the name of a file is that of an Excel workbook. */
export const isWorkbook = ({ name }: Pick<File, 'name'>): boolean => /\.xls[xm]$/i.test(name);

/** Returns whether a file is too large for a preview: the directory of a workbook is at its end. */
export const hasNoPreview = (file: Pick<File, 'name' | 'size'>): boolean =>
  isWorkbook(file) && file.size > WORKBOOK_BYTES;
