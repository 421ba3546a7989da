/** The upload cannot be done, or not be followed: `message` is what to show, whole. */
export class UploadFailure extends Error {
  override name = 'UploadFailure';
}

/** The command line is not one that can be carried out. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The service could not be asked, or not answer, just now: worth another try. */
export class Away extends Error {
  override name = 'Away';
  /** How long the service asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number;
  /** Nobody was reached at all. */
  readonly unreached: boolean;

  constructor(message: string, { retryAfterMs = 0, unreached = false } = {}) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.unreached = unreached;
  }
}
