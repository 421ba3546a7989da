/** What may happen to an alert. */
export const MESSAGE_TYPES = ['alert.fired', 'alert.changed', 'alert.resolved'] as const;
export type ChangeType = (typeof MESSAGE_TYPES)[number];
/** `alert.repeated`: it still fires. */
export type MessageType = ChangeType | 'alert.repeated';

/** An alert as it was when it changed. Times are ISO 8601. */
export interface ToldAlert {
  id: string;
  webhookId: string;
  /** Of the integration. */
  webhookName: string;
  /** Null for an alert that stands alone: it has no status either, and is never resolved. */
  dedupKey: string | null;
  status: 'firing' | 'resolved' | null;
  severity: string | null;
  title: string | null;
  description: string | null;
  source: string | null;
  service: string | null;
  environment: string | null;
  team: string | null;
  custom: Record<string, string>;
  startedAt: string;
  resolvedAt: string | null;
  resolvedBy: 'event' | 'person' | 'expiry' | null;
  resolution: string | null;
  peakSeverity: string | null;
  eventCount: number;
  /** Its page in the console; null if the address of the console is not known. */
  link: string | null;
}

/** What a destination is told. */
export interface Told {
  /** The same at each attempt. It has no dots. */
  id: string;
  type: MessageType;
  /** When it happened, ISO 8601. */
  at: string;
  /** Grows with each message about the same key. */
  sequence: number;
  alert: ToldAlert;
  /** The alert as the destination was told last, if that is known: Alertmanager must be told to end an alert with former labels. */
  before?: ToldAlert;
  /** The id of the message by which it was told. */
  previousId?: string;
  /** Sent by hand, to try a destination. */
  isTest: boolean;
}

/** What a destination is told of a job that has ended, whatever its preset: the request that made the job has named it. */
export interface ToldJob extends Pick<Told, 'id' | 'at' | 'isTest'> {
  /** Grows with each message about the same job. */
  sequence: number;
  /** The state of the job before. */
  previousStatus: string;
  /** As `GET /v2/jobs/{id}` returns it. */
  job: object;
}

/** Messages that are sent as one. */
export interface Digest {
  /** The most important ones first. */
  told: readonly Told[];
  /** The list of alerts in the console; null if the address of the console is not known. */
  link: string | null;
}

/** A request body in the format of a receiver. */
export interface RenderedBody {
  contentType: string;
  text: string;
}

/** What becomes of a message after a response. */
export type Verdict =
  | { outcome: 'delivered' }
  /** Try again, not before the receiver says so. Not counted: the receiver only asks to be slower. */
  | { outcome: 'later'; afterMs: number | null; isCounted: boolean }
  /** A few more attempts, unless it is final: the receiver rejects this message, or was deployed wrongly. */
  | { outcome: 'rejected'; isFinal?: true }
  /** The receiver is gone: nothing more is sent there. */
  | { outcome: 'gone' };

/** A format of messages, with what its receiver responds. */
export interface Preset {
  name: string;
  title: string;
  /** Whether only the newest message about a key is of use: older ones that wait are superseded. */
  mode: 'every' | 'latest';
  /** How often its receivers must be told that an alert still fires, in seconds: otherwise they end it. */
  refreshSeconds?: number;
  /** Messages a second that its receivers take; null: unlimited. */
  ratePerSecond: number | null;
  /** Whether its URL is a secret, so that only its host is shown. */
  isUrlSecret: boolean;
  /** Whether messages are signed as Standard Webhooks says. */
  isSigned: boolean;
  /** Whether its receiver needs a secret besides the URL. */
  needsSecret?: true;
  /** Whether a destination may draw bodies of its own. */
  drawsOwnBody?: true;
  /** Whether it goes to recipients by the operator's mail server, and not to a URL. */
  isMail?: true;
  /** Whether a destination may have headers of its own. */
  takesHeaders?: true;
  /** @param secret such as a routing key; null for receivers without one */
  render(told: Told, secret: string | null): RenderedBody;
  /** For receivers that show people one message about many alerts. */
  renderDigest?(digest: Digest): RenderedBody;
  /** Returns what a response means. `headers` in lower case. */
  judge(response: {
    status: number;
    headers: Readonly<Record<string, string | undefined>>;
    body: string;
  }): Verdict;
}
