import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { inDirectory } from '../docs/languages.ts';
import { textOf } from '../docs/pages.ts';

/** A program that docs/two-way-sync.md offers for download. */
export function programText(file: string): string {
  return textOf(`docs-site/programs/${file}`);
}

/** What these programs are asked to do, and their book. */
export interface SyncProgram {
  importAll(visits: readonly object[]): Promise<void>;
  wishFor(visit: object): Promise<void>;
  wishToChange(id: string, body: object): Promise<void>;
  push(): Promise<void>;
  receive(event: unknown): Promise<void>;
  catchUp(): Promise<void>;
  report(): Promise<SyncReport>;
}

export interface SyncReport {
  book: Record<string, unknown>[];
  wishes: number;
  forTheDesk: string[];
}

interface SyncLanguage {
  name: string;
  file: string;
  harness: [file: string, text: string];
  command: readonly [string, ...string[]];
}

/** Each reads what is asked of it as a line of JSON, and answers with one. */
const TYPESCRIPT_HARNESS = `
import { createInterface } from 'node:readline';
import * as sync from './connector.ts';
for await (const line of createInterface({ input: process.stdin })) {
  const { name, args } = JSON.parse(line);
  console.log(JSON.stringify((await sync[name](...args)) ?? null));
}
`;

const PYTHON_HARNESS = `
import json, sys
import sync
def report():
    return {"book": list(sync.book.values()), "wishes": len(sync.wishes), "forTheDesk": sync.for_the_desk}
asked = {
    "wishFor": sync.wish_for, "wishToChange": sync.wish_to_change, "push": sync.push, "receive": sync.receive,
    "catchUp": sync.catch_up, "importAll": sync.import_visits, "report": report,
}
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(asked[request["name"]](*request["args"])), flush=True)
`;

export const SYNC_LANGUAGES: readonly SyncLanguage[] = [
  {
    name: 'TypeScript',
    file: 'connector.ts',
    harness: ['main.ts', TYPESCRIPT_HARNESS],
    command: [process.execPath, 'main.ts'],
  },
  {
    name: 'Python',
    file: 'sync.py',
    harness: ['main.py', PYTHON_HARNESS],
    command: ['python3', 'main.py'],
  },
];

/** Runs the program while `work` asks things of it, one after the other. */
export function withSyncProgram(
  { file, harness: [main, text], command: [program, ...args] }: SyncLanguage,
  env: Record<string, string>,
  work: (program: SyncProgram) => Promise<void>,
): Promise<void> {
  const files = {
    [file]: programText(file),
    [main]: text,
    'package.json': '{ "type": "module" }',
  };
  return inDirectory(files, async (cwd) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask =
      (name: string) =>
      async (...wanted: unknown[]) => {
        child.stdin.write(`${JSON.stringify({ name, args: wanted })}\n`);
        const { done, value } = await lines.next();
        if (done) throw new Error(`the program has ended, asked to ${name}`);
        return JSON.parse(value) as never;
      };
    const names = ['importAll', 'wishFor', 'wishToChange', 'push', 'receive', 'catchUp', 'report'];
    try {
      await work(Object.fromEntries(names.map((name) => [name, ask(name)])) as unknown as SyncProgram);
    } finally {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    }
  });
}
