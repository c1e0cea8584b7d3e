import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from './run-script.ts';

export type Service = 'api' | 'worker' | 'dashboard';

/** What Node is given by the npm script of that name: how its heap may grow, and the file. */
export function argumentsOf(service: Service): string[] {
  const { scripts } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<Service, string>;
  };
  return scripts[service].split(' ').slice('exec node'.split(' ').length);
}
