import type { Logger } from 'pino';

/** A process that has not closed by then exits with 1. Supervisors wait slightly longer, and for the drain. */
const GRACE_MS = 18_000;

const SUPERVISOR_GONE = 'supervisor gone';

/**
 * Shuts the process down on SIGTERM or SIGINT, and when its supervisor is gone (`MUSTER_SUPERVISED`: the other end of stdin
 * closes, also after a kill -9). Further signals are ignored, because Ctrl-C often arrives twice.
 *
 * @param drain called first, unless the supervisor is gone; its time does not count
 */
export function shutDownOnSignal(
  log: Logger,
  close: () => Promise<void>,
  drain = async (): Promise<void> => {},
): void {
  let ending = false;
  const end = async (reason: string) => {
    if (ending) return;
    ending = true;
    log.info({ reason }, 'shutting down');
    if (reason !== SUPERVISOR_GONE) await drain();
    setTimeout(() => process.exit(1), GRACE_MS).unref();
    close().then(
      () => process.exit(0),
      (error: Error) => {
        log.error({ error: error.message }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => void end('SIGTERM'));
  process.on('SIGINT', () => void end('SIGINT'));
  if (process.env.MUSTER_SUPERVISED) process.stdin.resume().on('close', () => void end(SUPERVISOR_GONE));
}
