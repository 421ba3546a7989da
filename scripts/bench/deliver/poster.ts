import { AllowList } from '../../../workers/outbound/allow-list.js';
import { INTERNET } from '../../../workers/outbound/network.js';
import { OutboundClient } from '../../../workers/outbound/outbound-client.js';

/** The floor of a lane: posts the bodies that a receiver got to it once more, from memory, with the client of a worker. Prints the seconds, and the CPU seconds. */
const [, , url = ''] = process.argv;
/** As a lane does. */
const AT_ONCE = 4;
const client = new OutboundClient(INTERNET, AllowList.parse(new URL(url).host));
const headers = { 'content-type': 'application/json', 'user-agent': 'Muster' };
const texts = (await (await fetch(new URL('/bodies', url))).json()) as string[];
const bodies = texts.map((text) => Buffer.from(text));
const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
let next = 0;
const sendNext = async () => {
  for (let body = bodies[next++]; body; body = bodies[next++]) await client.post(url, { headers, body });
};
await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
const seconds = (performance.now() - startedAt) / 1_000;
const { user, system } = process.cpuUsage(cpuBefore);
console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, count: bodies.length }));
client.close();
