import type { Logger } from 'pino';

/** A process that has not closed by then exits with 1. Supervisors wait slightly longer. */
const GRACE_MS = 18_000;

/**
 * Shuts the process down on SIGTERM or SIGINT, and when its supervisor is gone (`MUSTER_SUPERVISED`: the other end of stdin
 * closes, also after a kill -9). Further signals are ignored, because Ctrl-C often arrives twice.
 */
export function shutDownOnSignal(log: Logger, close: () => Promise<void>): void {
  let ending = false;
  const end = (reason: string) => {
    if (ending) return;
    ending = true;
    log.info({ reason }, 'shutting down');
    setTimeout(() => process.exit(1), GRACE_MS).unref();
    close().then(
      () => process.exit(0),
      (error: Error) => {
        log.error({ error: error.message }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  if (process.env.MUSTER_SUPERVISED) process.stdin.resume().on('close', () => end('supervisor gone'));
}
