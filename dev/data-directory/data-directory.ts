import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where everything of one instance lies. */
export type DataDirectory = ReturnType<typeof dataDirectory>;

export function dataDirectory(root: string) {
  mkdirSync(root, { recursive: true });
  return {
    root,
    lock: join(root, 'launcher.lock'),
    processes: join(root, 'processes.json'),
    running: join(root, 'running.json'),
    keys: join(root, 'keys.json'),
    demo: join(root, 'demo.json'),
    caCertificate: join(root, 'dev-ca.pem'),
    caKey: join(root, 'dev-ca-key.pem'),
    postgres: join(root, 'postgres'),
    /** Stands in for the profile file in the user's home. */
    temporalProfile: join(root, 'temporal-profile.toml'),
    temporalState: join(root, 'temporal.db'),
    mail: join(root, 'mail'),
    recordings: join(root, 'recordings'),
    log: (name: string) => join(root, 'logs', `${name}.log`),
  };
}
