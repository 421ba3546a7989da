import { Agent, request } from 'node:http';

/** Sends a body repeatedly over one connection, each time after the previous response. Prints the median in ms, and the number of events. */
const [, , url = '', body = '', seconds = '3'] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };

function send(): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', agent, headers }, (response) => {
      if (response.statusCode !== 202) reject(new Error(`unexpected status ${response.statusCode}`));
      response.resume().on('end', () => resolve(performance.now() - startedAt));
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

const times: number[] = [];
const until = performance.now() + Number(seconds) * 1_000;
while (performance.now() < until) times.push(await send());
times.sort((a, b) => a - b);
console.log(JSON.stringify({ p50: times[times.length >> 1], events: times.length }));
agent.destroy();
