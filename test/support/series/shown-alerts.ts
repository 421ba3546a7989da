import type { Client } from '../api/client.js';

/** Returns all alerts of an integration as the API shows them, in the form of the oracle, by id. */
export async function shownAlerts(client: Client, webhookId: string) {
  // biome-ignore lint/suspicious/noExplicitAny: the body of a response.
  const found: any[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const path: string = `/v2/alerts?webhookId=${webhookId}&pageSize=1000${next && `&cursor=${next}`}`;
    const { body } = await client.get(path);
    found.push(...body.data);
    next = body.page.nextCursor;
  }
  const time = (text: string | null) => text && Date.parse(text);
  return found
    .map((alert) => ({
      id: alert.id,
      dedupKey: alert.dedupKey,
      status: alert.status,
      startedAt: time(alert.startedAt),
      lastEventAt: time(alert.lastEventAt),
      resolvedAt: time(alert.resolvedAt),
      resolvedBy: alert.resolvedBy,
      resolution: alert.resolution,
      peakSeverity: alert.peakSeverity,
      peakAt: time(alert.peakAt),
      eventCount: alert.eventCount,
      previousAlertId: alert.previousAlertId,
      state: alert.state,
      texts: {
        title: alert.title,
        severity: alert.severity,
        description: alert.description,
        service: alert.service,
        team: alert.team,
        zone: alert.custom.zone ?? null,
      },
    }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}
