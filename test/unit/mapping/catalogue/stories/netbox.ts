import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const change = (event: string, model: string, data: Record<string, JsonValue>): JsonValue => ({
  event,
  timestamp: '2026-03-01T08:00:00.000000+00:00',
  model,
  username: 'kim',
  request_id: 'r-1',
  data,
  snapshots: { prechange: null, postchange: null },
});

/** A job that ended, which has neither a user nor snapshots. */
const job = (name: string, status: string, error = ''): JsonValue => ({
  event: 'job_ended',
  timestamp: '2026-03-01T08:00:00.000000+00:00',
  object_type: 'core.job',
  model: 'job',
  data: { id: 4, name, display: name, status: { value: status, label: status }, error },
});

const SWITCH = { id: 7, name: 'leaf-7', display: 'leaf-7', site: { id: 2, name: 'Hall 2' } };
const netbox = { source: 'NetBox', environment: null, status: null, eventCount: 1 };

export default [
  {
    what: 'objects are created, changed and deleted',
    shape: 'https://netboxlabs.com/docs/netbox/integrations/webhooks/',
    steps: [
      ['created', change('created', 'device', SWITCH)],
      ['changed', change('updated', 'device', SWITCH)],
      ['deleted', change('deleted', 'device', SWITCH)],
    ],
    alerts: (['created', 'updated', 'deleted'] as const).map((event) => ({
      title: `device leaf-7 was ${event}`,
      severity: event === 'deleted' ? 'warning' : 'info',
      description: `device leaf-7 was ${event} by kim`,
      service: 'Hall 2',
      ...netbox,
    })),
  },
  {
    what: 'a job ends well, and another one fails',
    shape: 'netbox-community/netbox netbox/core/events.py and extras/webhooks.py',
    steps: [
      ['started', { ...(job('Sync', 'running') as object), event: 'job_started' }],
      ['ended well', job('Sync', 'completed')],
      ['failed', job('Import racks', 'errored', 'Rack 12 does not exist')],
    ],
    alerts: [
      {
        title: 'job Import racks failed',
        severity: 'error',
        description: 'Rack 12 does not exist',
        service: 'Import racks',
        ...netbox,
      },
    ],
  },
] satisfies Story[];
