import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLogLine } from '../logs/tail.js';
import { describeExit, type Exit, type RunningProcess } from '../processes/running.js';

/** How to check over its socket that a server responds. */
export interface Probe {
  socketPath: string;
  /** Sent after connecting. A server that speaks first needs nothing. */
  ask?: string;
  isReady(response: Buffer): boolean;
}

/** Recovery after a crash reads the whole log and may take minutes. Stopping it would only make it start over. */
const patienceMs = 600_000;

/**
 * Waits until the server responds.
 * @param stop aborts the wait and stops the server
 * @throws Error with its last log line if it exits first
 */
export async function waitUntilReady(
  server: RunningProcess,
  probe: Probe,
  stop?: AbortSignal,
): Promise<void> {
  let exit: Exit | undefined;
  void server.exited.then((ended) => {
    exit = ended;
  });
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const isReady = await responds(probe);
    if (exit) throw new Error(`${describeExit(exit)}: ${lastLogLine(server.logFile)}`);
    // Before the result: a server may already respond when it is stopped.
    if (stop?.aborted) await giveUp(server, 'stopped');
    if (isReady) return;
    if (Date.now() > deadline) await giveUp(server, `no response for ${patienceMs / 1000} s`);
    await sleep(10);
  }
}

async function giveUp(server: RunningProcess, why: string): Promise<never> {
  await server.stop(20_000);
  throw new Error(`${why}: ${lastLogLine(server.logFile)}`);
}

function responds(probe: Probe): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(probe.socketPath);
    const settle = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(1_000, () => settle(false));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
    socket.once('connect', () => probe.ask && socket.write(probe.ask));
    socket.once('data', (response) => settle(probe.isReady(response)));
  });
}
