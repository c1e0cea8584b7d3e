import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from '@jest/globals';
import { run } from '../languages.ts';
import type { Exchange, NotingProxy } from './noting-proxy.ts';
import { commandsUnder } from './site-samples.ts';

/** Someone who pastes the commands of the guides into a terminal, one after the other. */
export interface GuideReader {
  /** Pastes the commands under a heading, and returns what they asked and were answered. */
  paste(slug: string, heading: string): Promise<Exchange[]>;
  /** What the receiver that they have started prints next, such as `appointment.created evt_…`. */
  nextLine(): Promise<string>;
  stop(): Promise<void>;
}

export interface GuideReaderOptions {
  directory: string;
  proxy: NotingProxy;
  apiKey: string;
  /** A command as it has to be typed here, where a port or a directory is another one than in the guides. */
  typed: (command: string) => string;
}

const RUN_TIMEOUT_MS = 60_000;

export function createGuideReader(options: GuideReaderOptions): GuideReader {
  const { directory, proxy, apiKey, typed } = options;
  const known: Record<string, string> = { API: proxy.url, API_KEY: apiKey };
  let receiver: ChildProcess | undefined;
  let lines: AsyncIterator<string> | undefined;
  const nextLine = async () => String((await lines?.next())?.value);
  async function type(command: string): Promise<void> {
    const words = typed(filledIn(command, known));
    for (const [, name = '', value = ''] of words.matchAll(/^export (\w+)='?([^\n']*)'?$/gm))
      known[name] = value;
    if (!words.includes('receiver.mjs')) {
      await run(['bash', '-ec', words], { directory, timeoutMs: RUN_TIMEOUT_MS, env: known });
      return;
    }
    receiver = spawn('bash', ['-c', `exec env ${words}`], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (receiver.stdout) lines = createInterface({ input: receiver.stdout })[Symbol.asyncIterator]();
    expect(await nextLine()).toMatch(/^https:/);
  }
  return {
    nextLine,
    async paste(slug, heading) {
      const passed: Exchange[] = [];
      for (const command of commandsUnder(slug, heading)) {
        await type(command);
        const exchanges = proxy.taken();
        for (const exchange of exchanges) Object.assign(known, learnt(exchange));
        passed.push(...exchanges);
      }
      return passed;
    },
    stop: () => stopped(receiver),
  };
}

/** `export SERVICE=…` and `WEBHOOK_SECRET=whsec_…` with what the reader knows by then. */
function filledIn(command: string, known: Record<string, string>): string {
  return command.replaceAll(/\b([A-Z_]+)=\S*…/g, (_, name: string) => {
    const value = known[name];
    if (value === undefined) throw new Error(`a reader cannot know ${name} yet`);
    return `${name}='${value}'`;
  });
}

/** What a reader copies from an answer, by the variable in which the guides keep it. */
function learnt({ method, target, answer }: Exchange): Record<string, string> {
  const { id, secret, replacement } = JSON.parse(answer || '{}') as {
    id?: string;
    secret?: string;
    replacement?: { id: string };
  };
  const variable = VARIABLES[`${method} ${target}`];
  return {
    ...(variable !== undefined && id !== undefined && { [variable]: id }),
    ...(replacement && { APPOINTMENT: replacement.id }),
    ...(secret !== undefined && { WEBHOOK_SECRET: secret }),
  };
}

const VARIABLES: Readonly<Record<string, string>> = {
  'POST /v1/appointments': 'APPOINTMENT',
  'POST /v1/webhook-endpoints': 'ENDPOINT',
};

async function stopped(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
