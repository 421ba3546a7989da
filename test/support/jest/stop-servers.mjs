/** Stops the servers that start-servers.mjs started. */
export default async function stopServers() {
  await globalThis.musterTestServers?.stop();
}
