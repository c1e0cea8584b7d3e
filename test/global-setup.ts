import { startTestServers } from './support/environment/test-servers.ts';

/** One PostgreSQL and one Temporal server for the whole run; the tests find them by environment. Each suite has a database of its own: `support/database.ts`. */
export default async function globalSetup(): Promise<void> {
  const servers = await startTestServers();
  Object.assign(process.env, servers.environment);
  Object.assign(globalThis, { stopTestServers: servers.stop });
}
