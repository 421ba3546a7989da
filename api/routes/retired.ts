import type Router from '@koa/router';
import { gone } from '../errors.js';

const SUCCESSOR = '/v2/developers/identities';
const RETIRED = ['/v2/developers/cloud-ids', '/developers/cloud-ids'].flatMap((path) => [
  path,
  `${path}/upload`,
]);

/** Addresses of an earlier interface: gone for every method, with a pointer to what took their place. */
export function mountRetiredPaths(router: Router): void {
  for (const path of RETIRED) {
    router.all(path, (ctx) => {
      ctx.state.route = path;
      throw gone('replaced', `This address was replaced by ${SUCCESSOR}.`, {
        Link: `<${SUCCESSOR}>; rel="successor-version"`,
      });
    });
  }
}
