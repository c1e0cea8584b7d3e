import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { PROJECT_ROOT } from '../../../dev/processes/run-script.ts';
import { callersEnvironment } from '../environment/callers-environment.ts';

interface Ended {
  code: number | null;
  /** On both outputs. */
  said: string;
}

/**
 * Runs a process in test mode until it exits, with all that it needs besides a database.
 * @param directory of another version's sources
 */
export async function runToEnd(
  words: string,
  environment: NodeJS.ProcessEnv,
  directory = PROJECT_ROOT,
): Promise<Ended> {
  const child = spawn(process.execPath, words.split(' '), {
    cwd: directory,
    env: {
      ...callersEnvironment(),
      SERVICE_MODE: 'test',
      PHONE_HASH_KEY: Buffer.alloc(32, 6).toString('base64'),
      ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64'),
      RECORDINGS_URL: 'file:///nowhere',
      PUBLIC_URL: 'http://127.0.0.1:1',
      PORT: '0',
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: 'dashboard',
      OIDC_CLIENT_SECRET: 'only-for-tests',
      ...(!words.startsWith('dev/') && { TEMPORAL_ADDRESS: '127.0.0.1:1' }),
      TEMPORAL_CONFIG_FILE: '/nonexistent/temporal.toml',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: code as number | null, said: output + errors };
}
