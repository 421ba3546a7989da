import { startPrivateServers } from '../../../scripts/private-servers/index.js';

/** Starts durable private servers in the folder named by the first argument, and holds them until it is killed. */
const [, , dir = ''] = process.argv;
const { processes, databaseUrls, redisUrl } = await startPrivateServers({
  dir,
  durable: true,
  redoLogMb: 16,
});
const pids = [processes.mariadb.pid, processes.redis.pid];
console.log(JSON.stringify({ pids, databaseUrl: databaseUrls.root, redisUrl }));
