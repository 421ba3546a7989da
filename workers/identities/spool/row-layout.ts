/**
 * A row in a run has a frame: the length of its identity and of its email (two bytes each, little-endian), then both in UTF-8. A
 * drained row has its place in the upload (4 bytes) and its `integrationId` (8 bytes) before that.
 */

/** Changes with the layout of a stored row, because rows of another layout cannot be read. */
export const ROW_LAYOUT = 2;
/** In place of an email's length: the account is to be removed. */
export const NO_EMAIL = 0xffff;
export const PLACE_BYTES = 4;
/** Account system id and lengths. */
export const ROW_HEAD_BYTES = 12;
