import { succeeds } from './shell.ts';

/** Where they come from, on Debian. */
const PROGRAMS: Record<string, string> = {
  dockerd: 'docker.io',
  docker: 'docker.io',
  iptables: 'iptables',
  ip: 'iproute2',
  mmdebstrap: 'mmdebstrap',
  'apt-get': 'apt',
  go: 'golang',
  pip: 'python3-pip',
};

/**
 * Why containers cannot be run here; empty when they can.
 * @param besides what else is needed, by program
 */
export async function whatIsMissing(besides: Readonly<Record<string, string>> = {}): Promise<string[]> {
  if (process.platform !== 'linux') return ['containers of Linux are run by Linux alone'];
  if (process.getuid?.() !== 0) return ['an engine of its own, with a network of its own, needs root'];
  const missing: string[] = [];
  for (const [program, from] of Object.entries({ ...PROGRAMS, ...besides })) {
    if (!(await succeeds(['sh', '-c', `command -v ${program}`]))) {
      missing.push(`${program}: apt-get install --no-install-recommends ${from}`);
    }
  }
  if (!(await succeeds(['unshare', '--net', '--mount', 'true']))) {
    missing.push('the kernel gives no network namespace');
  }
  return missing;
}
