import type { Told, ToldAlert } from '../../../workers/outbox/presets/preset.js';

const ALERT: ToldAlert = {
  id: '01a1f89d-7a9c-710a-951d-f86812498000',
  webhookId: '01a1f89c-0000-7000-8000-000000000001',
  webhookName: 'CPU alarms',
  dedupKey: 'cpu:web-1',
  status: 'firing',
  severity: 'warning',
  title: 'High CPU on web-1',
  description: 'CPU above 90% for 5 minutes.\nSee <https://wiki.example.com/cpu?a=1&b=2>',
  source: 'web-1',
  service: 'shop',
  environment: 'production',
  team: 'Platform',
  custom: { region: 'eu-west-1' },
  startedAt: '2026-03-01T08:00:00.000Z',
  resolvedAt: null,
  resolvedBy: null,
  resolution: null,
  peakSeverity: 'warning',
  eventCount: 1,
  link: 'https://muster.example.com/alerts/01a1f89d-7a9c-710a-951d-f86812498000',
};

/** A message about an alert that has just fired. */
export const FIRED: Told = {
  id: 'msg_01a1f89d7a9c710a951df86812498000',
  type: 'alert.fired',
  at: '2026-03-01T08:00:00.000Z',
  sequence: 1,
  alert: ALERT,
  isTest: false,
};

/** The same alert, which has become critical. */
export const CHANGED: Told = {
  ...FIRED,
  type: 'alert.changed',
  at: '2026-03-01T08:05:00.000Z',
  sequence: 2,
  alert: { ...ALERT, severity: 'critical', peakSeverity: 'critical', eventCount: 3 },
  before: ALERT,
};

/** The first alert, which still fires. */
export const REPEATED: Told = {
  ...FIRED,
  type: 'alert.repeated',
  at: '2026-03-01T12:00:00.000Z',
  sequence: 4,
};

/** The same alert, resolved. */
export const RESOLVED: Told = {
  ...FIRED,
  type: 'alert.resolved',
  at: '2026-03-01T08:12:00.000Z',
  sequence: 3,
  alert: {
    ...ALERT,
    status: 'resolved',
    peakSeverity: 'critical',
    resolvedAt: '2026-03-01T08:12:00.000Z',
    resolvedBy: 'event',
    eventCount: 4,
  },
};
