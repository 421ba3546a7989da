/** How long the previous URL or secret stays valid, in seconds. */
export const GRACE_PERIODS = [
  { value: '0', label: 'immediately' },
  { value: '3600', label: 'after 1 hour' },
  { value: '86400', label: 'after 1 day' },
  { value: '604800', label: 'after 7 days' },
];
export const DEFAULT_GRACE = '86400';
