import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { anyPort } from '../../dev/processes/free-port.ts';
import { callersEnvironment } from '../support/environment/callers-environment.ts';
import { until } from '../support/until.ts';
import { ROOT } from '../docs/pages.ts';
import type { SyncReport } from './sync-program.ts';

export type ConnectorReport = SyncReport & { unacknowledged: number };

export const TYPESCRIPT_CONNECTOR = [process.execPath, join(ROOT, 'docs-site/programs/connector.ts')];

/** A connector that can be killed and started again, at one address with one book. */
export class ConnectorProcess implements AsyncDisposable {
  readonly url: string;
  readonly stateFile: string;
  readonly #command: readonly string[];
  readonly #environment: Record<string, string>;
  #child: ChildProcess | null = null;

  /** @param command starts the program that docs/two-way-sync.md offers */
  static async at(directory: string, command: readonly string[], environment: Record<string, string>) {
    const port = await anyPort('127.0.0.1');
    return new ConnectorProcess(directory, command, { ...environment, PORT: String(port) });
  }

  private constructor(directory: string, command: readonly string[], environment: Record<string, string>) {
    this.url = `http://127.0.0.1:${environment['PORT']}`;
    this.stateFile = join(directory, 'connector.jsonl');
    this.#command = command;
    this.#environment = { ...environment, STATE_FILE: this.stateFile };
  }

  async start(): Promise<void> {
    const [program = '', ...args] = this.#command;
    const child = spawn(program, args, {
      env: { ...callersEnvironment(), ...this.#environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    const complaints = text(child.stderr);
    await until('the connector to be ready', async () => {
      if (child.exitCode !== null) throw new Error(`the connector has ended: ${await complaints}`);
      return this.report().catch(() => null);
    });
  }

  /** Whatever it is doing. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async report(): Promise<ConnectorReport> {
    return (await this.#ask('GET', '/book')) as ConnectorReport;
  }

  async wishFor(visit: object): Promise<void> {
    await this.#ask('POST', '/visits', visit);
  }

  async wishToChange(id: string, body: object): Promise<void> {
    await this.#ask('PATCH', `/visits/${id}`, body);
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const sent = body ? { body: JSON.stringify(body) } : {};
    const answer = await fetch(this.url + path, { method, ...sent });
    if (!answer.ok) throw new Error(`the connector refused ${method} ${path}: ${await answer.text()}`);
    return answer.json();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
