import { spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { contracts } from '../../../api/contracts.ts';
import { openApiDocument } from '../../../api/openapi/document.ts';
import { exampleDates } from '../../../docs-site/example-dates.ts';
import type { OpenApiDocument } from '../../../docs-site/reference/openapi.ts';
import { operationsOf, type RequestExample } from '../../../docs-site/reference/operation.ts';
import { LANGUAGES, sampleRequest } from '../../../docs-site/reference/samples/sample.ts';
import { inDirectory, run } from '../languages.ts';

const API_KEY = 'svc_test_key';
const RUN_TIMEOUT_MS = 60_000;

/** How a sample of each language is run, where the language is at hand. */
const RUNNERS: Readonly<Record<string, { probe: string[]; file: string; command: string[] }>> = {
  curl: { probe: ['curl', '--version'], file: 'sample.sh', command: ['bash', 'sample.sh'] },
  Node: {
    probe: [process.execPath, '--version'],
    file: 'sample.mjs',
    command: [process.execPath, 'sample.mjs'],
  },
  Python: {
    probe: ['python3', '-c', 'import requests'],
    file: 'sample.py',
    command: ['python3', 'sample.py'],
  },
  PHP: { probe: ['php', '-r', 'curl_init();'], file: 'sample.php', command: ['php', 'sample.php'] },
};

const atHand = LANGUAGES.flatMap((language) => {
  const runner = RUNNERS[language.name];
  const [program = '', ...args] = runner?.probe ?? [];
  return runner && spawnSync(program, args).status === 0 ? [{ ...language, ...runner }] : [];
});

const document = openApiDocument(contracts) as unknown as OpenApiDocument;
const operations = operationsOf(document, exampleDates(new Date()).inValue);

interface Received {
  method: string | undefined;
  target: string | undefined;
  authorization: string | undefined;
  hasIdempotencyKey: boolean;
  contentType: string | undefined;
  body: unknown;
}

const received: Received[] = [];
const server = createServer((request, response) => void note(request, response));
let baseUrl: string;

beforeAll(async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

describe.each(atHand)('in $name', ({ write, file, command }) => {
  test.each(operations)('each sample of $id sends the request of its example', async ({ examples }) => {
    for (const example of examples) {
      received.length = 0;
      const sample = write(sampleRequest(example, baseUrl));
      const printed = await inDirectory({ [file]: sample, 'recording.wav': 'RIFF' }, (directory) =>
        run(command, { directory, timeoutMs: RUN_TIMEOUT_MS, env: { API_KEY } }),
      );
      expect(received).toEqual([wanted(example)]);
      if (example.answersJson) expect(printed).toContain('answered');
    }
  });
});

async function note(request: IncomingMessage, response: ServerResponse): Promise<void> {
  received.push(await understood(request));
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"answered":true}');
}

async function understood(request: IncomingMessage): Promise<Received> {
  const { method, url, headers } = request;
  const contentType = headers['content-type'];
  return {
    method,
    target: url,
    authorization: headers.authorization,
    hasIdempotencyKey: 'idempotency-key' in headers,
    contentType,
    body: contentType === 'application/json' ? await json(request) : undefined,
  };
}

function wanted(example: RequestExample): Received {
  const { method, target, isKeyed, takesIdempotencyKey, body, file } = example;
  return {
    method,
    target,
    authorization: isKeyed ? `Bearer ${API_KEY}` : undefined,
    hasIdempotencyKey: takesIdempotencyKey,
    contentType: body === undefined ? file : 'application/json',
    body,
  };
}
