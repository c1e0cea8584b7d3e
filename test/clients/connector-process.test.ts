import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { inDirectory } from '../docs/languages.ts';
import { ConnectorProcess, TYPESCRIPT_CONNECTOR } from './connector-process.ts';

/** Nothing answers there: what the connector wishes stays in its book. */
const UNREACHED = { API_URL: 'http://127.0.0.1:1', API_KEY: 'svc_none', ENDPOINT_ID: 'none' };

async function statusOf(url: string, method: string, headers: Record<string, string>): Promise<number> {
  const body = method === 'POST' ? '{}' : '';
  const sent = request(url, { method, headers: { ...headers, 'Content-Length': String(body.length) } }).end(
    body,
  );
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}

test('no web page reads or changes the book through a browser on the same machine', () =>
  inDirectory({}, async (directory) => {
    await using connector = await ConnectorProcess.at(directory, TYPESCRIPT_CONNECTOR, UNREACHED);
    await connector.start();
    const { host } = new URL(connector.url);
    const [book, visits] = [`${connector.url}/book`, `${connector.url}/visits`];
    // A name whose owner lets it lead to this machine.
    expect(await statusOf(book, 'GET', { Host: 'page.example' })).toBe(403);
    expect(await statusOf(visits, 'POST', { Host: host, Origin: 'https://page.example' })).toBe(403);
    expect(await statusOf(visits, 'POST', { Host: host, Origin: 'null' })).toBe(403);
    expect((await connector.report()).wishes).toBe(0);
    expect(await statusOf(visits, 'POST', { Host: host })).toBe(200);
    expect((await connector.report()).wishes).toBe(1);
  }));

test('a connector whose disk was full keeps what it has accepted', () =>
  inDirectory({}, async (directory) => {
    const onFullDisk = ['bash', '-c', 'ulimit -S -f 4; exec "$@"', 'bash', ...TYPESCRIPT_CONNECTOR];
    await using full = await ConnectorProcess.at(directory, onFullDisk, UNREACHED);
    await full.start();
    let accepted = 0;
    const fill = async () => {
      for (; accepted < 100; accepted += 1) await full.wishFor({ patientNotes: 'x'.repeat(200) });
    };
    await expect(fill()).rejects.toThrow();
    // Otherwise the next change would be written behind half a line, and the book could not be read.
    await expect(full.report()).rejects.toThrow();

    await using later = await ConnectorProcess.at(directory, TYPESCRIPT_CONNECTOR, UNREACHED);
    await later.start();
    expect(accepted).toBeGreaterThan(3);
    expect((await later.report()).wishes).toBe(accepted);
  }));
