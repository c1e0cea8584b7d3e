/** Who caused an event, as shown to receivers: docs/events.md#who-caused-it */
export const ACTOR_TYPES = ['api_key', 'person', 'portal', 'patient', 'system'] as const;
type ActorType = (typeof ACTOR_TYPES)[number];

export interface EventActor {
  type: ActorType;
  id: string | null;
}

const TYPES: Readonly<Partial<Record<string, ActorType>>> = {
  key: 'api_key',
  person: 'person',
  portal: 'portal',
  patient: 'patient',
};

/** @param actor from a command's context, such as `key:<id>`; operators are shown as the system, without an id */
export function eventActor(actor: string): EventActor {
  const [kind = '', id = null] = actor.split(':');
  const type = TYPES[kind];
  return type ? { type, id } : { type: 'system', id: null };
}
