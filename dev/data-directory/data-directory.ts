import { join } from 'node:path';

/** The paths of one instance. */
export type DataDirectory = ReturnType<typeof dataDirectory>;

export function dataDirectory(root: string) {
  const logs = join(root, 'logs');
  return {
    root,
    lock: join(root, 'launcher.lock'),
    processes: join(root, 'processes.json'),
    running: join(root, 'running.json'),
    keys: join(root, 'keys.json'),
    demo: join(root, 'demo.json'),
    caCertificate: join(root, 'dev-ca.pem'),
    caKey: join(root, 'dev-ca-key.pem'),
    /** The certificates of the local CA and of WEBHOOK_CA_FILE. */
    trustedCas: join(root, 'trusted-cas.pem'),
    postgres: join(root, 'postgres'),
    temporalState: join(root, 'temporal.db'),
    mail: join(root, 'mail'),
    recordings: join(root, 'recordings'),
    logs,
    log: (name: string) => join(logs, `${name}.log`),
  };
}
