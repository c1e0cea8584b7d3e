import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { once } from 'node:events';
import { listenUntilDisposed } from '../../adapters/connections/listen-until-disposed.ts';

export interface UnsteadyProxy extends AsyncDisposable {
  url: string;
  /** Loses that many requests that are next, as an outage does. */
  loseNext(requests: number): void;
  /** From now on everything arrives. */
  calmDown(): void;
}

/** Of twenty requests it loses one on the way there, one answer whole, and half of another. */
export async function startUnsteadyProxy(target: string): Promise<UnsteadyProxy> {
  let [lost, isCalm] = [0, false];
  const server = createServer((request, response) => {
    const fate = isCalm ? 1 : Math.random();
    if (lost > 0 || fate < 0.05) {
      lost = Math.max(0, lost - 1);
      request.socket.destroy();
      return;
    }
    void pass(target, request, response, fate).catch(() => request.socket.destroy());
  });
  const listening = await listenUntilDisposed(server);
  return {
    ...listening,
    url: `http://127.0.0.1:${listening.port}`,
    loseNext: (requests) => void (lost = requests),
    calmDown: () => void (isCalm = true),
  };
}

async function pass(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  fate: number,
): Promise<void> {
  const { method, headers } = request;
  const onwards = forward(target + request.url, { method, headers: { ...headers, connection: 'close' } });
  onwards.end(await buffer(request));
  const [answer] = (await once(onwards, 'response')) as [IncomingMessage];
  const body = await buffer(answer);
  if (fate < 0.1) return void request.socket.destroy();
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  if (fate >= 0.15) return void response.end(body);
  response.write(body.subarray(0, body.length / 2), () => request.socket.destroy());
}
