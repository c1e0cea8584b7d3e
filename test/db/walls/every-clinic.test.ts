import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** What asks for a connection that sees every clinic, or what admission needs. */
const ASKS = /\b(?:em|admission|outbox|ofSupport)\(\)|[dD]atabase\.write\(/;

/** Where the API and the dashboard do, and why. */
const KNOWN: Record<string, string> = {
  'api/appointments/list-routes.ts': 'which transactions are under way, of whatever clinic',
  'api/middleware/admission/admit.ts': 'whose a key is',
  'api/recordings/routes.ts': 'whose a recording is that a signed link names',
  'api/request-log/request-recorder.ts': 'what every clinic has asked',
  'api/start.ts': 'what every clinic has left, recordings too; whether a worker reaches Temporal',
  'dashboard/kept-forms/ended-session.ts': 'whose a session was',
  'dashboard/self-service/self-service-routes.ts': 'whose an address or a signed link is',
  'dashboard/serving/serve-pages.ts': 'whose a session is; the support desk',
  'dashboard/sign-in/address-limits.ts': 'how much an address has tried',
  'dashboard/sign-in/portal-pages.ts': 'whose a portal link is',
  'dashboard/sign-in/sign-in-pages.ts': 'who signs in, and where',
  'dashboard/sign-in/sign-out-pages.ts': 'every session of someone',
  'dashboard/start.ts': 'sessions that every clinic has left; whether a worker reaches Temporal',
};

test('of what answers requests only what is listed here looks beyond one clinic', () => {
  const asking = globSync('{api,dashboard}/**/*.ts').filter((path) => ASKS.test(readFileSync(path, 'utf8')));
  expect(asking.toSorted()).toEqual(Object.keys(KNOWN).toSorted());
});
