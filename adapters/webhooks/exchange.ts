import type { Agent, Dispatcher } from 'undici';
import { afterRunning } from '../timing/after-running.ts';
import { AttemptFailure, AttemptNotBegun } from './attempt-failure.ts';
import { ResponseExcerpt } from './response-excerpt.ts';
import type { WebhookRequest } from './webhook-client.ts';

export interface Answer {
  status: number;
  excerpt: string;
}

/**
 * One POST under one deadline (`webhook-client.ts`) over DNS, connect, TLS and headers. Once the headers are in, nothing can go wrong any more:
 * the body is read until the excerpt is full, the body ends or breaks, or the deadline.
 * @throws AttemptNotBegun, AttemptFailure and the HTTP client's own errors when no whole set of headers arrived
 */
export async function exchange(
  url: URL,
  { headers, body, mayBegin = () => true }: Omit<WebhookRequest, 'url'>,
  { agent, deadlineMs }: { agent: Agent; deadlineMs: number },
): Promise<Answer> {
  const reader = new AnswerReader(mayBegin);
  const cancel = afterRunning(deadlineMs, () => reader.stop());
  try {
    agent.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method: 'POST', headers, body },
      reader,
    );
    return await reader.answered.promise;
  } finally {
    cancel();
  }
}

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly answered = Promise.withResolvers<Answer>();
  readonly #excerpt = new ResponseExcerpt();
  #status: number | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  readonly #mayBegin: () => boolean;

  constructor(mayBegin: () => boolean) {
    this.#mayBegin = mayBegin;
  }

  /** The deadline: ends with what is there. */
  stop(): void {
    const failure = this.#controller
      ? new AttemptFailure('deadline_exceeded', 'No answer in time')
      : new AttemptFailure('connect_timeout', 'No connection in time');
    this.#end(failure);
    this.#controller?.abort(failure);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // A connection that is ready only after the deadline must not carry the request of a failed attempt.
    if (this.#isOver) controller.abort(new AttemptFailure('connect_timeout', 'Connected too late'));
    else if (!this.#mayBegin()) controller.abort(new AttemptNotBegun('Connected too late'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    const isInformational = status >= 100 && status < 200;
    if (!isInformational) this.#status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#excerpt.add(chunk);
    if (!this.#excerpt.isFull()) return;
    this.#end();
    controller.abort(new AttemptFailure('connection_lost', 'Enough of the body was read'));
  }

  onResponseEnd(): void {
    // The client frees the connection in the next turn; whoever posts again at once then finds it free.
    setImmediate(() => setImmediate(() => this.#end()));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(error);
  }

  /** The status line decides: an error after it changes nothing. */
  #end(error?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#status !== null) this.answered.resolve({ status: this.#status, excerpt: this.#excerpt.text() });
    else this.answered.reject(error ?? new AttemptFailure('invalid_response', 'An answer without a status'));
  }
}
