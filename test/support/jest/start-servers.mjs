import { tsImport } from 'tsx/esm/api';

/**
 * Starts the servers that all tests share, once per run. Sets `TEST_DATABASE_URL`, `TEST_REDIS_URL`, `TEST_RUN_FOLDER` to a folder that is
 * removed at the end of the run, and `TEST_TEMPLATE` to the statements that fill an empty database.
 * Plain JavaScript, because Jest loads this file before its own handling of `.ts` imports applies.
 */
export default async function startServers() {
  const { startTestServers } = await tsImport('../servers/servers.ts', import.meta.url);
  const { createTemplate } = await tsImport('../servers/database.ts', import.meta.url);
  const started = await startTestServers();
  globalThis.musterTestServers = started;
  process.env.TEST_DATABASE_URL = started.databaseUrl;
  process.env.TEST_REDIS_URL = started.redisUrl;
  process.env.TEST_RUN_FOLDER = started.dir;
  process.env.TEST_TEMPLATE = JSON.stringify(await createTemplate(started.databaseUrl));
}
