import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createSocket } from 'node:dgram';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createNameResolver } from '../../../adapters/webhooks/resolve-name.ts';

const A = 1;
const AAAA = 28;
const RECORDS: Record<string, { [A]?: number[]; [AAAA]?: number[] }> = {
  'both.example': { [A]: [93, 184, 215, 14], [AAAA]: [0x26, 6, ...Array.from({ length: 13 }, () => 0), 1] },
  'four.example': { [A]: [10, 0, 0, 1] },
  'hosts.example': { [A]: [93, 184, 215, 14] },
  'drops.example': { [A]: [10, 0, 0, 2] },
};
/** Questions for IPv6 addresses of this name get no answer. */
const DROPS_AAAA = 'drops.example';

const directory = await mkdtemp(join(tmpdir(), 'hosts-'));
const hostsFile = join(directory, 'hosts');
await writeFile(
  hostsFile,
  '# comment\n127.0.0.7\thosts.example  Alias.example # end\n::7 hosts.example\nbroken line\n',
);
const dnsServer = createSocket('udp4', (query, from) => {
  if (!isDropped(query)) dnsServer.send(answer(query), from.port, from.address);
});
dnsServer.bind(0, '127.0.0.1');
await once(dnsServer, 'listening');
const resolve = createNameResolver({ hostsFile, dnsServers: [`127.0.0.1:${dnsServer.address().port}`] });

afterAll(async () => {
  dnsServer.close();
  await rm(directory, { recursive: true });
});

test('a name has all its addresses of both families', async () => {
  expect(await resolve('both.example')).toEqual(['93.184.215.14', '2606::1']);
});

test('a name with addresses of one family only resolves to those', async () => {
  expect(await resolve('FOUR.example.')).toEqual(['10.0.0.1']);
});

test('a name server that drops questions for IPv6 does not delay the IPv4 addresses', async () => {
  const dnsServers = [`127.0.0.1:${dnsServer.address().port}`];
  const { promise: tooLate, resolve: giveUp } = Promise.withResolvers<string>();
  const timer = setTimeout(() => giveUp('as late as the first repeat of the question'), 1_500);
  const found = createNameResolver({ hostsFile: join(directory, 'missing'), dnsServers })(DROPS_AAAA);
  expect(await Promise.race([found, tooLate])).toEqual(['10.0.0.2']);
  clearTimeout(timer);
});

test('a name that no one knows is an error', async () => {
  await expect(resolve('unknown.example')).rejects.toThrow('no address');
});

test('the hosts file comes before DNS, as everywhere on the machine', async () => {
  expect(await resolve('hosts.example')).toEqual(['127.0.0.7', '::7']);
  expect(await resolve('alias.EXAMPLE')).toEqual(['127.0.0.7']);
});

test('localhost and all names below it are this machine', async () => {
  expect(await resolve('localhost')).toEqual(['127.0.0.1', '::1']);
  expect(await resolve('Receiver.LocalHost.')).toEqual(['127.0.0.1', '::1']);
});

test('a machine without a hosts file asks DNS', async () => {
  const dnsServers = [`127.0.0.1:${dnsServer.address().port}`];
  const bare = createNameResolver({ hostsFile: join(directory, 'missing'), dnsServers });
  expect(await bare('hosts.example')).toEqual(['93.184.215.14']);
});

function isDropped(query: Buffer): boolean {
  const nameEnd = query.indexOf(0, 12);
  const name = nameIn(query.subarray(12, nameEnd + 5));
  return name === DROPS_AAAA && query.readUInt16BE(nameEnd + 1) === AAAA;
}

/** A name server in a few lines (RFC 1035 §4): one question, at most one record, else NXDOMAIN. */
function answer(query: Buffer): Buffer {
  const nameEnd = query.indexOf(0, 12);
  const question = query.subarray(12, nameEnd + 5);
  const type = query.readUInt16BE(nameEnd + 1) as typeof A | typeof AAAA;
  const known = RECORDS[nameIn(question)];
  const data = known?.[type];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(data ? 1 : 0, 6);
  return Buffer.concat([header, question, data ? record(type, data) : Buffer.alloc(0)]);
}

function record(type: number, data: number[]): Buffer {
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]);
}

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 0; question[at]; at += (question[at] ?? 0) + 1) {
    labels.push(question.subarray(at + 1, at + 1 + (question[at] ?? 0)).toString());
  }
  return labels.join('.').toLowerCase();
}
