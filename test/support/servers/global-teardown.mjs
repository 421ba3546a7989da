/** Ends the servers that global-setup started. */
export default async function stopServers() {
  await globalThis.musterTestServers?.stop();
}
