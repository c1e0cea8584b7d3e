import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readTextIfPresent } from '../data-directory/private-file.ts';
import { isErrorCode } from '../../adapters/error-code.ts';

/**
 * Distinguishes a process from a later one with the same pid: its start time, within one boot. Null when no such
 * process runs; a zombie counts as gone.
 */
export function processIdentity(pid: number): string | null {
  return process.platform === 'linux' ? identityFromProc(pid) : identityFromPs(pid);
}

export function isRunning(pid: number, identity: string): boolean {
  return processIdentity(pid) === identity;
}

/** Sends the signal and waits for the end; after the time limit the process is killed. */
export async function endProcess(pid: number, identity: string, signal: NodeJS.Signals, limitMs: number) {
  sendSignal(pid, identity, signal);
  if (await hasEnded(pid, identity, limitMs)) return;
  sendSignal(pid, identity, 'SIGKILL');
  if (!(await hasEnded(pid, identity, 5_000))) throw new Error(`process ${pid} does not end`);
}

async function hasEnded(pid: number, identity: string, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (isRunning(pid, identity)) {
    if (Date.now() > deadline) return false;
    await delay(25);
  }
  return true;
}

function sendSignal(pid: number, identity: string, signal: NodeJS.Signals): void {
  if (!isRunning(pid, identity)) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isErrorCode(error, 'ESRCH')) throw error;
  }
}

/** The command line, or an empty text when the process is gone. */
export function commandLine(pid: number): string {
  if (process.platform === 'linux')
    return readTextIfPresent(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? '';
  return ps(pid, 'command=') ?? '';
}

function identityFromProc(pid: number): string | null {
  const stat = readTextIfPresent(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The command name is in brackets and may contain anything, so fields are counted from the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTicks] = [fields[0], fields[19]];
  if (state === 'Z' || state === 'X') return null;
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${startTicks}`;
}

function identityFromPs(pid: number): string | null {
  const [state, ...start] = ps(pid, 'state=,lstart=')?.trim().split(/\s+/) ?? [];
  return state === undefined || state.startsWith('Z') ? null : start.join(' ');
}

function ps(pid: number, columns: string): string | null {
  try {
    return execFileSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8' });
  } catch (error) {
    // ps ends with status 1 when there is no such process.
    if (Reflect.get(Object(error), 'status') === 1) return null;
    throw error;
  }
}
