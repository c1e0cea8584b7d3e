import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { Connection } from '@temporalio/client';
import type { Service } from '../service/start-service.ts';

/** What the figures depend on besides the code. */
export async function describeMachine(service: Service): Promise<Record<string, string>> {
  const connection = await Connection.connect({ address: (await service.running()).temporalAddress });
  const { serverVersion } = await connection.workflowService.getSystemInfo({});
  await connection.close();
  const show = async (setting: string) => {
    const { rows } = await service.sql.query<{ value: string }>('SELECT current_setting($1) AS value', [
      setting,
    ]);
    return rows[0]?.value ?? '';
  };
  return {
    processors: `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${process.platform} ${release()}`,
    Node: process.version,
    PostgreSQL: `${await show('server_version')}, fsync ${await show('fsync')}, synchronous_commit ${await show('synchronous_commit')}`,
    Temporal: `${serverVersion ?? 'unknown'}, one process with its state in a file`,
  };
}

/** The commit of a checkout, and whether it was changed since. */
export function versionOf(root: string): string {
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
  try {
    return git('describe', '--always', '--dirty', '--abbrev=10');
  } catch {
    return 'not in version control';
  }
}
