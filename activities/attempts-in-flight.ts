import type { ATTEMPTS_AT_ONCE } from '../domain/webhooks/delivery-share.ts';

/** Counts the attempts that this process has under way. Nothing outlives the process, so nothing leaks when it dies. */
export interface AttemptsInFlight {
  /** Returns what to call when the attempt has ended, once; null when the endpoint or its clinic has its share already. */
  begin(of: { endpointId: string; clinicId: string }): (() => void) | null;
}

export function createAttemptsInFlight(
  limits: Record<keyof typeof ATTEMPTS_AT_ONCE, number>,
): AttemptsInFlight {
  const ofEndpoint = new Map<string, number>();
  const ofClinic = new Map<string, number>();
  return {
    begin({ endpointId, clinicId }) {
      if ((ofEndpoint.get(endpointId) ?? 0) >= limits.perEndpoint) return null;
      if ((ofClinic.get(clinicId) ?? 0) >= limits.perClinic) return null;
      add(ofEndpoint, endpointId, 1);
      add(ofClinic, clinicId, 1);
      return () => {
        add(ofEndpoint, endpointId, -1);
        add(ofClinic, clinicId, -1);
      };
    },
  };
}

/** Forgets who has none, or the map would grow with every endpoint there ever was. */
function add(counts: Map<string, number>, id: string, difference: number): void {
  const count = (counts.get(id) ?? 0) + difference;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
}
