import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The resident memory of a process. From /proc where there is one: to ask `ps` hundreds of times takes long. */
export function residentBytes(pid: number): number {
  const status = `/proc/${pid}/status`;
  const kilobytes = existsSync(status)
    ? /VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kilobytes) * 1024;
}
