import { counted } from '../../text/quantities.ts';

/** Returns how long recorded changes are kept. After the history was turned off (0 days), earlier entries remain until upkeep deletes them. */
export const describeRetention = (days: number): string =>
  days === 0
    ? 'The history is turned off (IDENTITY_HISTORY_DAYS=0): new changes are not recorded, and these will be deleted soon.'
    : `Changes are kept for ${counted(days, 'day')}, jobs for 90 days.`;
