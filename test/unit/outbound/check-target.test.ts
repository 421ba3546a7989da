import { expect, test } from '@jest/globals';
import { AllowList } from '../../../workers/outbound/allow-list.js';
import { INTERNET } from '../../../workers/outbound/network.js';
import { OutboundClient } from '../../../workers/outbound/outbound-client.js';
import { checkTarget } from '../../../workers/outbound/target.js';

const PUBLIC = '93.184.216.34';
const LIST =
  'mattermost.corp.example:8065, chat.corp.example, 10.20.0.0/16, fd12::/16, 127.0.0.1:9999, 0.0.0.0/0';
const NOT_PUBLIC = /not public\. Muster sends no requests to private networks unless .*`OUTBOUND_ALLOW`/;
const NOT_STANDARD = /must start with https:\/\/ and have no port, unless .*`OUTBOUND_ALLOW`/;
const INVALID = /must start with https:\/\/ and have a host, and no user name or password/;

const networkOf = (addresses: string[]) => ({
  ...INTERNET,
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
});

test.each<[url: string, addresses: string[], allow: string, reason: RegExp]>([
  // Addresses in every notation
  ...[
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '0.0.0.0',
    '0.1.2.3',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::7f00:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:7f00:1]',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::a9fe:a9fe]',
    '[2002:7f00:1::]',
    '[2002:5db8:d822::]',
    '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '[fc00::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[4000::1]',
  ].map((host): [string, string[], string, RegExp] => [`https://${host}/`, [], '', NOT_PUBLIC]),
  // Names that resolve to them
  ['https://hooks.example.com/', ['127.0.0.1'], '', NOT_PUBLIC],
  ['https://localhost/', ['::1', '127.0.0.1'], '', NOT_PUBLIC],
  ['https://hooks.example.com/', [PUBLIC, '10.0.0.1'], '', NOT_PUBLIC],
  ['https://hooks.example.com/', ['::ffff:10.0.0.1'], '', NOT_PUBLIC],
  ['https://hooks.example.com/', ['fe80::1%eth0'], '', NOT_PUBLIC],
  // Other schemes and ports
  ['http://hooks.example.com/', [PUBLIC], '', NOT_STANDARD],
  ['http://2130706433/', [], '', NOT_STANDARD],
  ['http://0x7f.1/', [], '', NOT_STANDARD],
  ['https://hooks.example.com:8443/', [PUBLIC], '', NOT_STANDARD],
  ['http://hooks.example.com/', [PUBLIC], '10.20.0.0/16', NOT_STANDARD],
  // Texts that are not such URLs
  ['ftp://hooks.example.com/', [PUBLIC], LIST, INVALID],
  ['file:///etc/passwd', [], LIST, INVALID],
  ['https://user@hooks.example.com/', [PUBLIC], LIST, INVALID],
  ['https://chat.corp.example:password@hooks.example.com/', [PUBLIC], LIST, INVALID],
  ['https://', [], LIST, INVALID],
  ['hooks.example.com', [PUBLIC], LIST, INVALID],
  // A network in the list does not open loopback, link-local addresses and metadata
  ['http://127.0.0.1/', [], LIST, NOT_PUBLIC],
  ['http://127.0.0.1:9998/', [], LIST, NOT_PUBLIC],
  ['http://127.0.0.2:9999/', [], LIST, NOT_PUBLIC],
  ['http://169.254.169.254/', [], LIST, NOT_PUBLIC],
  ['http://[::ffff:169.254.169.254]/', [], LIST, NOT_PUBLIC],
  ['http://100.100.100.200/', [], LIST, NOT_PUBLIC],
  ['http://[::1]:9999/', [], `${LIST}, ::/0`, NOT_PUBLIC],
  ['http://[fd00:ec2::254]/', [], `${LIST}, ::/0`, NOT_PUBLIC],
  ['http://0.0.0.0:9999/', [], LIST, NOT_PUBLIC],
  ['https://hooks.example.com/', ['127.0.0.1'], LIST, NOT_PUBLIC],
  // An entry with a port opens this port only, and no other name
  ['http://mattermost.corp.example:8066/', ['127.0.0.1'], 'mattermost.corp.example:8065', NOT_PUBLIC],
  ['http://a.mattermost.corp.example:8065/', ['10.0.0.1'], 'mattermost.corp.example:8065', NOT_PUBLIC],
  ['https://a.chat.corp.example/', ['10.0.0.1'], 'chat.corp.example', NOT_PUBLIC],
  ['http://hooks.example.com/', ['10.20.0.1', '10.21.0.1'], '10.20.0.0/16', NOT_PUBLIC],
])('neither saved, tested nor delivered: %s %j with "%s"', async (url, addresses, allow, reason) => {
  const [list, network] = [AllowList.parse(allow), networkOf(addresses)];
  const message = await checkTarget(url, list, network);
  expect(message).toMatch(reason);
  const delivery = new OutboundClient(network, list).post(url, { body: Buffer.from('{}') });
  await expect(delivery).rejects.toMatchObject({
    code: reason === INVALID ? 'invalid_url' : 'blocked_address',
    message,
  });
});

test.each<[url: string, addresses: string[], allow: string]>([
  ['https://hooks.example.com/path?query', [PUBLIC, '2606:2800:220:1:248:1893:25c8:1946'], ''],
  ['https://hooks.example.com:443/', [PUBLIC], ''],
  [`https://${PUBLIC}/`, [], ''],
  ['https://[2606:2800:220:1:248:1893:25c8:1946]/', [], ''],
  ['https://hooks.example.com/', ['64:ff9b::5db8:d822'], ''],
  ['http://mattermost.corp.example:8065/', ['10.0.0.1'], LIST],
  ['https://MATTERMOST.corp.example.:8065/', ['127.0.0.1'], LIST],
  ['http://chat.corp.example/', ['169.254.1.1'], LIST],
  ['https://chat.corp.example:1234/', [PUBLIC, 'fd00::1'], LIST],
  ['http://10.20.3.4:8080/', [], '10.20.0.0/16'],
  ['http://[::ffff:10.20.3.4]/', [], '10.20.0.0/16'],
  ['http://any.example.com:8080/', ['10.20.3.4'], '10.20.0.0/16'],
  ['http://[fd12::1]/', [], 'fd12::/16'],
  ['http://127.0.0.1:9999/', [], LIST],
  ['http://2130706433:9999/', [], LIST],
  ['http://localhost:9999/', ['127.0.0.1'], LIST],
  ['http://[::1]:81/', [], '[::1]:81'],
  ['http://[::1]:82/', [], '::1'],
  ['http://169.254.169.254/', [], '169.254.169.254'],
  ['http://münchen.corp.example/', ['10.0.0.1'], 'münchen.corp.example'],
])('can be saved: %s %j with "%s"', async (url, addresses, allow) => {
  expect(await checkTarget(url, AllowList.parse(allow), networkOf(addresses))).toBeNull();
});

test('a destination can be saved while its name does not resolve', async () => {
  const resolve = () => Promise.reject(new Error('EAI_AGAIN'));
  const network = { ...INTERNET, resolve };
  expect(await checkTarget('https://hooks.example.com/', AllowList.EMPTY, network)).toBeNull();
  const delivery = new OutboundClient(network).post('https://hooks.example.com/', {
    body: Buffer.from('{}'),
  });
  await expect(delivery).rejects.toMatchObject({ code: 'dns' });
});

test.each([
  'http://mattermost.corp.example',
  '*.corp.example',
  'mattermost.corp.example:0',
  'mattermost.corp.example:65536',
  'mattermost.corp.example/hooks',
  'user@mattermost.corp.example',
  '10.20.0.0/33',
  'fd12::/129',
  '300.1.1.1',
  'a b',
])('a list with the entry %s is invalid', (entry) => {
  expect(() => AllowList.parse(`10.20.0.0/16, ${entry}`)).toThrow(
    `has an invalid entry, ${entry}: must be host, `,
  );
});
