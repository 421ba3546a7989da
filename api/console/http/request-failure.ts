/** One error in the body of a 4xx or 5xx response. */
export interface ErrorDetail {
  line?: number;
  column?: number;
  index?: number;
  field: string | null;
  code: string;
  message: string;
}

/** A request that got a 4xx or 5xx response, or no response at all (`status` 0, `code` `unreachable`). */
export class RequestFailure extends Error {
  override name = 'RequestFailure';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly errors: readonly ErrorDetail[];
  readonly errorCount: number;
  readonly jobId: string | null;
  /** The revision that somebody else has saved, if that is why the request failed (412). */
  readonly currentRevision: number | null;

  constructor(status: number, body: Partial<ErrorBody> | null) {
    super(body?.message ?? fallback(status));
    this.status = status;
    this.code = body?.code ?? (status === 0 ? 'unreachable' : 'unknown');
    this.requestId = body?.requestId ?? null;
    this.errors = body?.errors ?? [];
    this.errorCount = body?.errorCount ?? this.errors.length;
    this.jobId = body?.jobId ?? null;
    this.currentRevision = body?.current?.revision ?? null;
  }

  /** Whether the same request may succeed a moment later. */
  get isTemporary(): boolean {
    if (this.code === 'search_too_slow') return false;
    return [0, 429, 502, 503, 504].includes(this.status);
  }
}

/** The body of every 4xx and 5xx response of the API. */
export interface ErrorBody {
  message: string;
  code: string;
  requestId: string;
  errors: ErrorDetail[];
  errorCount: number;
  jobId?: string;
  current?: { revision: number };
}

const fallback = (status: number): string =>
  status === 0 ? 'Muster cannot be reached.' : `The API responded with status ${status} and no message.`;
