/** What a migration of a large table needs. */
export interface MigrationRun {
  /** Reports what takes long. */
  say(text: string): void;
  /** @throws Error if another process has taken over, because this one was stopped for a while */
  check(): Promise<void>;
}
