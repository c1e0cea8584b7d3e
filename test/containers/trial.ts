import { performance } from 'node:perf_hooks';
import type { ClinicInContainers } from './clinic-in-containers.ts';
import type { Deployment } from './deployment.ts';

export type Tell = (line: string) => void;

/** What a check is given. */
export interface Trial {
  deployment: Deployment;
  clinic: ClinicInContainers;
  tell: Tell;
}

export function requireThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** In seconds, as people read them. */
export function since(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}

/** Starts what does not run, and waits until it is well. */
export async function start({ compose }: Deployment, ...services: string[]): Promise<void> {
  await compose('up', '--detach', '--no-build', '--no-recreate', '--wait', ...services);
}
