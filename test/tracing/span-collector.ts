import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { listenUntilDisposed } from '../../adapters/connections/listen-until-disposed.ts';
import { until } from '../support/until.ts';

const value = z.looseObject({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() });
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((list) =>
    Object.fromEntries(list.map(({ key, value: of }) => [key, of.stringValue ?? of.intValue])),
  );
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes,
  status: z.object({ code: z.number().optional() }),
});
/** OTLP/HTTP in JSON, as far as the tests read it. */
const sent = z.object({
  resourceSpans: z.array(
    z.object({ resource: z.object({ attributes }), scopeSpans: z.array(z.object({ spans: z.array(span) })) }),
  ),
});

export type CollectedSpan = z.output<typeof span> & { service: string };

/** An OpenTelemetry collector on loopback. */
export interface SpanCollector extends AsyncDisposable {
  url: string;
  /** Everything that was sent to it, as it came. */
  texts: readonly string[];
  /** Waits until it has got these. */
  spans(...names: string[]): Promise<CollectedSpan[]>;
}

export async function startSpanCollector(): Promise<SpanCollector> {
  const texts: string[] = [];
  const collected: CollectedSpan[] = [];
  const collect = (body: string): void => {
    texts.push(body);
    for (const { resource, scopeSpans } of sent.parse(JSON.parse(body)).resourceSpans) {
      const service = String(resource.attributes['service.name']);
      for (const { spans } of scopeSpans) for (const each of spans) collected.push({ ...each, service });
    }
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    collect(await text(request));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void answer(request, response));
  const listening = await listenUntilDisposed(server);
  return {
    ...listening,
    url: `http://127.0.0.1:${listening.port}`,
    texts,
    spans: (...names) =>
      until(
        `the spans ${names.join(', ')}`,
        () => names.every((name) => collected.some((each) => each.name === name)) && collected,
      ),
  };
}
