import { createServer } from 'node:http';
import { listenUntilDisposed } from '../../../adapters/connections/listen-until-disposed.ts';
import { DEMO_PEOPLE, type LocalPerson } from '../../../dev/identity/demo-people.ts';
import {
  identityListener,
  LOCAL_HABITS,
  type IdentityServerOptions,
  type ProviderHabits,
} from '../../../dev/identity/identity-server.ts';

/** A real identity provider whose people can change and which can be unavailable. */
export interface TestIdentity extends AsyncDisposable {
  /** Changes a person's role; null removes the role, undefined the person. */
  setRole(id: string, role: LocalPerson['role'] | undefined): void;
  /** Whether it answers. */
  setAway(isAway: boolean): void;
  /** Lets it act as another provider would; none: as before. */
  setHabits(habits?: Partial<ProviderHabits>): void;
  /** The number of token requests. */
  tokensAsked(): number;
}

export async function startTestIdentity(options: IdentityServerOptions): Promise<TestIdentity> {
  let people: readonly LocalPerson[] = DEMO_PEOPLE;
  let isAway = false;
  let habits = LOCAL_HABITS;
  let asked = 0;
  const serve = identityListener({ ...options, people: () => people, habits: () => habits });
  const server = createServer((request, response) => {
    if (request.url === '/token') asked += 1;
    if (isAway) return void response.writeHead(503).end();
    serve(request, response);
  });
  const listening = await listenUntilDisposed(server, { port: options.port });
  return {
    ...listening,
    setRole(id, role) {
      const person = DEMO_PEOPLE.find((each) => each.id === id);
      const others = people.filter((each) => each.id !== id);
      people = person && role !== undefined ? [...others, { ...person, role }] : others;
    },
    setAway: (away) => void (isAway = away),
    setHabits: (other = {}) => void (habits = { ...LOCAL_HABITS, ...other }),
    tokensAsked: () => asked,
  };
}
