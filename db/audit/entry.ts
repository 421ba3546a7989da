export const ACTOR_KINDS = ['key', 'link', 'person', 'system'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** What an entry can be about. `table` is a lookup table; the last ones are what upkeep removes. */
export const OBJECT_KINDS = [
  'api_key',
  'upload_link',
  'account_system',
  'decisions',
  'feed',
  'integration',
  'heartbeat',
  'template',
  'destination',
  'table',
  'job',
  'event',
  'role',
  'role_grant',
  'person',
  'group',
  'session',
  'events',
  'alerts',
  'identity_history',
  'identity_changes',
  'jobs',
  'files',
  'feed_runs',
  'messages',
  'audit_log',
] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** Who makes a change, by which action, and where the request came from. */
export interface AuditOrigin {
  /** `id` is that of the key, the link or the person; null for the system. */
  actor: { kind: ActorKind; id: string | null; name: string };
  /** The `operationId` of the route, or the name of the command, the upkeep task or the step of a worker. */
  action: string;
  requestId: string | null;
  /** Of the client, as far as the settings let it be stored. */
  address: string | null;
}

/** The members of an object that a change concerns, by their paths such as `signature.mode`. */
export type Members = Readonly<Record<string, unknown>>;

/** What was changed. */
export interface AuditChange {
  kind: ObjectKind;
  id: string | null;
  /** As people know it, at this time. */
  name: string | null;
  /** Null: there was nothing. */
  before: Members | null;
  /** Null: there is nothing any more. */
  after: Members | null;
}

/** Returns the origin of a change that no request has asked for. */
export const systemOrigin = (name: string, action: string): AuditOrigin => ({
  actor: { kind: 'system', id: null, name },
  action,
  requestId: null,
  address: null,
});
