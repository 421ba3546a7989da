import { startFreezableProxy } from './freezable-proxy.js';

/** The tests' Redis behind a proxy that can freeze: it then accepts connections but sends no responses. */
export async function startFreezableRedis() {
  const proxy = await startFreezableProxy((process.env.TEST_REDIS_URL as string).replace('unix://', ''));
  return { ...proxy, url: `redis://127.0.0.1:${proxy.port}` };
}
