import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Receiver, startReceiver } from '../outbound/receiver.js';
import type { Stack } from '../servers/stack.js';
import { ask } from './conformance.js';

/** Starts an HTTPS server with the names of PagerDuty and Opsgenie, which leads to Muster. */
export async function startVendorHosts(stack: Stack): Promise<Receiver> {
  const hosts = await startReceiver(['events.pagerduty.com', 'api.opsgenie.com']);
  hosts.respond(async ({ method = '', url: path = '', headers }, response) => {
    const { 'content-type': type, authorization = '' } = headers;
    const kept = { 'content-type': String(type), authorization };
    const received = await ask(stack, { method, path, headers: kept, body: hosts.requests.at(-1)?.body });
    response.writeHead(received.status, { 'content-type': String(received.headers['content-type']) });
    response.end(received.text);
  });
  return hosts;
}

/** Starts a proxy in place of DNS: whatever the name is, it leads to these hosts. Returns its URL, and a function that stops it. */
export async function startProxyTo(hosts: Receiver): Promise<{ url: string; stop(): void }> {
  const proxy = createServer().on('connect', (_, socket, head) => {
    const there = connect(hosts.network.port ?? 0, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      there.write(head);
      there.pipe(socket).pipe(there);
    });
    there.on('error', () => socket.destroy());
    socket.on('error', () => there.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const stop = (): void => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, stop };
}
