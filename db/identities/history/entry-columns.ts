/** The columns of an entry in `identity_history`, in the order in which entries are read and copied. */
export const ENTRY_COLUMNS = [
  'integration_id',
  'identity',
  'changed_at',
  'job_id',
  'api_key_id',
  'email_before',
  'email_after',
];
