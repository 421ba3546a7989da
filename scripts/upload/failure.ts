/** The upload failed or cannot be followed. `message` is the complete text to show. */
export class UploadFailure extends Error {
  override name = 'UploadFailure';
}

/** The service is unavailable at the moment. Another attempt may succeed. */
export class Unavailable extends Error {
  override name = 'Unavailable';
  /** The time that the service asked to wait, in milliseconds. */
  readonly retryAfterMs: number;
  /** Whether no connection was made at all. */
  readonly unreached: boolean;

  constructor(message: string, { retryAfterMs = 0, unreached = false } = {}) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.unreached = unreached;
  }
}
