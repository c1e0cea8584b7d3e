import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CSHARP_HARNESS,
  CSHARP_PROJECT,
  GO_HARNESS,
  NODE_ANSWER,
  NODE_HARNESS,
  NODE_STANDARD_HARNESS,
  NODE_STRIPE_HARNESS,
  PHP_HARNESS,
  PYTHON_HARNESS,
} from './harnesses.ts';
import { snippet } from './guide.ts';
import type { SignedDeliveryCase } from './signed-deliveries.ts';

/** A first build of Go's or .NET's own packages takes its time on a busy machine. */
const BUILD_TIMEOUT_MS = 280_000;
const RUN_TIMEOUT_MS = 20_000;

/** A snippet of the guide with what it takes to run it. */
export interface RunnableSnippet {
  name: string;
  /** Answers when the language is installed. */
  probe: readonly string[];
  files: () => Record<string, string>;
  build?: readonly string[];
  command: readonly string[];
  /** The packages that it imports from, those of the project by default. */
  modules?: string;
  /** Words in the names of the cases that a library accepts although our own code would not. */
  tolerates?: readonly string[];
}

const nodeSnippet = (name: string, file: string, harness: string): RunnableSnippet => ({
  name,
  probe: [process.execPath, '--version'],
  files: () => ({ [file]: snippet(file), 'answer.mjs': NODE_ANSWER, 'main.mjs': harness }),
  command: [process.execPath, 'main.mjs'],
});

const SNIPPETS: readonly RunnableSnippet[] = [
  nodeSnippet('Node', 'verify.mjs', NODE_HARNESS),
  {
    ...nodeSnippet('Node with stripe', 'stripe.mjs', NODE_STRIPE_HARNESS),
    // Stripe's clock is the sender's; a value ends at its second equals sign.
    tolerates: ['from the future', '“=zz”'],
  },
  nodeSnippet('Node with standardwebhooks', 'standard.mjs', NODE_STANDARD_HARNESS),
  {
    name: 'Python',
    probe: ['python3', '--version'],
    files: () => ({ 'verify.py': snippet('verify.py'), 'main.py': PYTHON_HARNESS }),
    command: ['python3', 'main.py'],
  },
  {
    name: 'PHP',
    probe: ['php', '--version'],
    files: () => ({ 'verify.php': snippet('verify.php'), 'main.php': PHP_HARNESS }),
    command: ['php', 'main.php'],
  },
  {
    name: 'Go',
    probe: ['go', 'version'],
    files: () => ({
      'go.mod': 'module receiver\n\ngo 1.20\n',
      'verify.go': snippet('verify.go'),
      'hook.go': snippet('hook.go'),
      'main.go': GO_HARNESS,
    }),
    build: ['go', 'build', '-o', 'receiver', '.'],
    command: ['./receiver'],
  },
  {
    name: 'C#',
    probe: ['dotnet', '--version'],
    files: () => ({
      'WebhookSignature.cs': snippet('WebhookSignature.cs'),
      'Program.cs': CSHARP_HARNESS,
      'receiver.csproj': CSHARP_PROJECT,
    }),
    build: ['dotnet', 'build', '--output', 'built'],
    command: ['dotnet', 'built/receiver.dll'],
  },
];

/** The snippets whose language is installed here. */
export function runnableSnippets(): RunnableSnippet[] {
  return SNIPPETS.filter(({ probe: [program = '', ...args] }) => spawnSync(program, args).status === 0);
}

/** Builds the snippet, then asks what it says to each delivery: they are signed only now, for signatures age. */
export async function verdictsOf(
  { files, build, command, modules }: Omit<RunnableSnippet, 'probe'>,
  sign: () => readonly SignedDeliveryCase[],
): Promise<{ name: string; isAccepted: boolean | undefined }[]> {
  return inDirectory(
    files(),
    async (directory) => {
      if (build) await run(build, { directory, timeoutMs: BUILD_TIMEOUT_MS });
      const deliveries = sign();
      const asked = deliveries.map(({ headers, body, secret }) => ({ headers, body: base64(body), secret }));
      const input = JSON.stringify(asked);
      const verdicts = JSON.parse(
        await run(command, { directory, timeoutMs: RUN_TIMEOUT_MS, input }),
      ) as boolean[];
      return deliveries.map(({ name }, index) => ({ name, isAccepted: verdicts[index] }));
    },
    modules,
  );
}

/** A directory with these files, from which packages can be imported, those of the project by default; gone afterwards. */
export async function inDirectory<T>(
  files: Record<string, string>,
  work: (directory: string) => Promise<T>,
  modules = join(import.meta.dirname, '../../node_modules'),
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'snippet-'));
  try {
    symlinkSync(modules, join(directory, 'node_modules'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

export interface Run {
  directory: string;
  timeoutMs: number;
  input?: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs a program and returns what it prints. */
export function run(
  [program = '', ...args]: readonly string[],
  { directory, timeoutMs, input = '', env = {} }: Run,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = { cwd: directory, timeout: timeoutMs, env: { ...process.env, ...env } };
  const child = execFile(program, args, options, (error, stdout, stderr) => {
    if (error) reject(new Error(`${program} failed: ${stdout}${stderr}`, { cause: error }));
    else resolve(stdout);
  });
  // A program that reads nothing may have ended before.
  child.stdin?.on('error', () => undefined).end(input);
  return promise;
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
