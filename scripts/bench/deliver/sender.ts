import { Agent, request } from 'node:http';
import { keyedAlert } from '../load.js';

/**
 * Sends so many alerts that fire, each with a key of its own, at so many a second; 0: as fast as they are accepted. Prints when each was accepted, by
 * its key.
 */
const [, , url = '', prefix = '', countText = '', rateText = '0'] = process.argv;
const [count, rate] = [Number(countText), Number(rateText)];
const AT_ONCE = 64;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const now = (): number => performance.timeOrigin + performance.now();

function send(key: string): Promise<number> {
  const body = keyedAlert(key, 'firing');
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', agent, headers }, (response) => {
      if (response.statusCode !== 202) reject(new Error(`unexpected status ${response.statusCode}`));
      const acceptedAt = now();
      response.resume().on('end', () => resolve(acceptedAt));
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

const accepted: Record<string, number> = {};
const sendOne = async (number: number): Promise<void> => {
  const key = `${prefix}-${number}`;
  accepted[key] = await send(key);
};
const startedAt = performance.now();
let next = 0;
const sending: Promise<void>[] = [];
if (rate === 0) {
  const sendNext = async () => {
    while (next < count) await sendOne(next++);
  };
  for (let slot = 0; slot < AT_ONCE; slot++) sending.push(sendNext());
}
while (next < count) {
  const due = Math.min(count, Math.floor(((performance.now() - startedAt) * rate) / 1_000) + 1);
  while (next < due) sending.push(sendOne(next++));
  await new Promise((resolve) => setTimeout(resolve, 2));
}
await Promise.all(sending);
console.log(JSON.stringify(accepted));
agent.destroy();
