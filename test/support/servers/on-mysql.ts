import { findServers } from '../../../scripts/private-servers/find.js';

/** Returns whether the private servers of the tests are MySQL's, see `MUSTER_SERVER_PATH` in CONTRIBUTING. */
export const onMysql = (): boolean => findServers().database?.flavour === 'mysql';
