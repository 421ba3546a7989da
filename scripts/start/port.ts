import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Returns the port for the API: the requested one if it is free, or any free one for 0.
 * @throws Error in one line if the port cannot be used
 */
export async function claimPort(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    throw new Error(explain(port, host, error as NodeJS.ErrnoException));
  } finally {
    server.close();
  }
}

function explain(port: number, host: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Set PORT to a free one, for example: PORT=${port + 1} npm start`;
  if (code === 'EACCES') return `This user may not listen on port ${port}. Set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST ${host} is not an address of this machine.`;
  return `The API cannot listen on ${host}, port ${port}: ${message}`;
}
