/**
 * Shows one line for a task: its name, a dot for each second, and the seconds that it took.
 * @param {string} label
 * @param {() => Promise<boolean>} work returns whether it succeeded
 */
export async function withProgress(label, work) {
  const started = Date.now();
  process.stdout.write(`${label} `);
  const ticking = setInterval(() => process.stdout.write('.'), 1_000);
  const hasSucceeded = await work().finally(() => clearInterval(ticking));
  const seconds = ((Date.now() - started) / 1_000).toFixed(1);
  process.stdout.write(hasSucceeded ? ` ${seconds} s\n` : ' failed\n');
}
