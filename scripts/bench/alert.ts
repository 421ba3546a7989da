const BODY = {
  alert: {
    name: 'High CPU Usage',
    severity: 'critical',
    message: 'CPU usage above 90%',
    timestamp: '2024-01-15T10:30:00Z',
  },
  metadata: { service: 'payment-api', environment: 'production', team: 'platform' },
  metrics: { cpu_usage: 95.5, memory_usage: 85.2 },
};
/** The alert that intake and drain are measured with: about 300 bytes. */
export const ALERT = JSON.stringify(BODY);

/** Returns the same alert with a key and a status. */
export const keyedAlert = (key: string, status: 'firing' | 'resolved'): string =>
  JSON.stringify({ ...BODY, alert: { ...BODY.alert, key, status } });
