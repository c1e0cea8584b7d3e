import { describe, expect, test } from '@jest/globals';
import { readFirstClinic } from '../../../dev/first-clinic/first-clinic.ts';
import type { RequestExample } from '../../../docs-site/reference/operation.ts';
import { sampleRequest } from '../../../docs-site/reference/samples/sample-request.ts';
import { answerWith } from '../../support/servers/receiver.ts';
import { startService } from '../../support/servers/service.ts';
import { inDirectory, run } from '../languages.ts';
import { startNotingProxy, type Exchange } from './noting-proxy.ts';
import { runnersAtHand, type Runner } from './programs.ts';
import { asSentBy, story, takeNote, type Reader } from './story.ts';
import { forSuite } from '../../support/for-suite.ts';

const RUN_TIMEOUT_MS = 60_000;

// The second attempt waits until it is told; the others have ended soon.
const service = await forSuite(
  startService({
    WEBHOOK_RETRY_DELAYS_SECONDS: '3600,1,1,1,1',
    RATE_LIMITS_DISABLED: 'true',
  }),
);
const proxy = await forSuite(startNotingProxy(service.running().apiUrl));
const key = readFirstClinic(`${service.dataDirectory}/demo.json`)?.key ?? '';
const receiver = await service.receiver();
receiver.otherwise(answerWith(503));
const receiverUrl = receiver.url();

describe.each(runnersAtHand())('the samples in $name, run in order', (runner) => {
  const reader: Reader = {
    ids: new Map(),
    receiverUrl: '',
    recordingTarget: '',
    read: async (path) => (await service.request(key, 'GET', path)).body,
  };

  test.each(story())('$name sends its example, and the demo clinic answers 2xx', async (chapter) => {
    await chapter.awaits?.(reader);
    const example = asSentBy({ ...reader, receiverUrl }, chapter.example);
    const printed = await runSample(runner, example);
    const exchanges = proxy.taken();
    expect(exchanges).toEqual([expect.objectContaining(wanted(example))]);
    const [{ status, sent, answer }] = exchanges as [Exchange];
    expect([Math.floor(status / 100), answer]).toEqual([2, answer]);
    expect(example.body === undefined ? sent : JSON.parse(sent)).toEqual(
      example.body ?? (example.file ? 'RIFF' : ''),
    );
    if (!example.answersJson) return;
    const parsed = JSON.parse(answer) as Record<string, unknown>;
    expect(printed).toContain(Object.keys(parsed)[0]);
    takeNote(reader, example.target, parsed);
  });
});

function runSample({ write, file, command }: Runner, example: RequestExample): Promise<string> {
  const sample = write(sampleRequest(example, proxy.url));
  return inDirectory({ [file]: sample, 'recording.wav': 'RIFF' }, (directory) =>
    run(command, { directory, timeoutMs: RUN_TIMEOUT_MS, env: { API_KEY: key } }),
  );
}

function wanted(example: RequestExample): Partial<Exchange> {
  const { method, target, isKeyed, takesIdempotencyKey, body, file } = example;
  return {
    method,
    target,
    authorization: isKeyed ? `Bearer ${key}` : undefined,
    hasIdempotencyKey: takesIdempotencyKey,
    contentType: body === undefined ? file : 'application/json',
  };
}
