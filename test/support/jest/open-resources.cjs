/** Requests end by themselves; these stay open until somebody closes them. */
const LASTING =
  /^(TCPServerWrap|TCPSocketWrap|TLSWrap|PipeServerWrap|PipeWrap|ProcessWrap|UDPWrap|FSEventWrap|MessagePort|Timeout)$/;

const GRACE_MS = 20_000;
const INTERVAL_MS = 20;

/** Counts the resources, by type, that keep the process running, with those of its own input and output. */
function countOpenResources() {
  // Node opens a pipe for each of these on first use, which some packages do.
  void [process.stdin, process.stdout, process.stderr];
  const counts = new Map();
  for (const type of process.getActiveResourcesInfo()) {
    if (LASTING.test(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}

/**
 * Returns what is open and was not open before, such as `['2 TCPSocketWrap']`. Waits up to 20 s for what is still
 * closing, because a busy machine may take long to end a process.
 */
async function findLeftOpen(before) {
  const deadline = Date.now() + GRACE_MS;
  for (;;) {
    const leftOpen = added(before, countOpenResources());
    if (leftOpen.length === 0 || Date.now() > deadline) return leftOpen;
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}

function added(before, after) {
  return [...after]
    .map(([type, count]) => [count - (before.get(type) ?? 0), type])
    .filter(([more]) => more > 0)
    .map(([more, type]) => `${more} ${type}`);
}

module.exports = { countOpenResources, findLeftOpen };
