import { execFileSync } from 'node:child_process';

/** A machine that a test starts programs on. */
export interface Host {
  name: string;
  address: string;
  /** What a command line begins with to run there. */
  within: readonly string[];
}

/** The machine of the test itself. */
export const loopback: Host = { name: 'loopback', address: '127.0.0.1', within: [] };

/** A host with a network namespace and an address of its own. */
export interface NetworkHost extends Host {
  /** Pulls the cable: packets to and from the host are dropped, connections stay open on both sides. */
  cutOff(): void;
  reconnect(): void;
}

const BRIDGE = 'muster0';
const PREFIX = '10.83.0';
const TEST_ADDRESS = `${PREFIX}.1`;

/** Returns why this run cannot make hosts; null if it can. */
export function whyNoHosts(): string | null {
  return process.env.MUSTER_OWN_NETWORK === '1' ? null : 'only root may make network namespaces';
}

/** A network of hosts that can be cut off one by one. The test's own process is a host of it too. */
export class Network {
  /** The address of the test's own process. */
  readonly address = TEST_ADDRESS;
  readonly #hosts: string[] = [];

  constructor() {
    ip('link', 'add', BRIDGE, 'type', 'bridge');
    ip('address', 'add', `${TEST_ADDRESS}/24`, 'dev', BRIDGE);
    ip('link', 'set', BRIDGE, 'up');
  }

  addHost(name: string): NetworkHost {
    const number = this.#hosts.length + 2;
    const [namespace, cable, address] = [`muster-${name}`, `cable${number}`, `${PREFIX}.${number}`];
    ip('netns', 'add', namespace);
    this.#hosts.push(namespace);
    ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    ip('link', 'set', cable, 'master', BRIDGE, 'up');
    ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) ip('-n', namespace, 'link', 'set', device, 'up');
    return {
      name,
      address,
      within: ['ip', 'netns', 'exec', namespace],
      cutOff: () => ip('link', 'set', cable, 'down'),
      reconnect: () => ip('link', 'set', cable, 'up'),
    };
  }

  /** Removes all hosts. End their programs first. */
  remove(): void {
    for (const namespace of this.#hosts) ip('netns', 'delete', namespace);
    ip('link', 'delete', BRIDGE);
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
