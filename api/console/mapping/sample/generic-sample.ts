/** What a blank integration is drawn on and tested with before anything has come. */
export const GENERIC_SAMPLE = {
  title: 'High CPU on web-01',
  severity: 'critical',
  description: 'CPU above 90 % for 5 minutes',
  source: 'monitoring',
  service: 'checkout',
  environment: 'production',
  team: 'payments',
  host: { name: 'web-01', region: 'eu-west-1' },
  tags: ['env:production', 'service:checkout'],
  value: 93.5,
};
