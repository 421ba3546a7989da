/**
 * Shows one line for a task: its name, a dot for each second, and the seconds that it took.
 * @param {string} label
 * @param {() => Promise<void>} work
 */
export async function withProgress(label, work) {
  const started = Date.now();
  process.stdout.write(`${label} `);
  const ticking = setInterval(() => process.stdout.write('.'), 1_000);
  try {
    await work();
    process.stdout.write(` ${((Date.now() - started) / 1_000).toFixed(1)} s\n`);
  } catch (error) {
    process.stdout.write(' failed\n');
    throw error;
  } finally {
    clearInterval(ticking);
  }
}
