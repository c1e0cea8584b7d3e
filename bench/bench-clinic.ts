import type { RunningInstance } from '../test/support/service.ts';

export interface BenchClinic {
  tenantId: string;
  key: string;
  professionals: string[];
  service: string;
}

/** A clinic with five-minute appointments, so that many fit into a calendar. */
export async function createBenchClinic(
  service: RunningInstance,
  professionalCount: number,
): Promise<BenchClinic> {
  const tenant = await created(service, 'tenant', '--name', 'Bench', '--specialty', 'dental');
  const professionals: string[] = [];
  for (let i = 0; i < professionalCount; i += 1) {
    const options = ['--tenant', tenant, '--name', `P${i}`, '--specialty', 'Dentistry'];
    professionals.push(await created(service, 'professional', ...options));
  }
  const visit = await created(service, 'service', '--tenant', tenant, '--name', 'Visit', '--duration', '5');
  const { key } = await service.admin<{ key: string }>('key', 'create', '--tenant', tenant);
  return { tenantId: tenant, key, professionals, service: visit };
}

async function created(service: RunningInstance, kind: string, ...options: string[]): Promise<string> {
  const { id } = await service.admin<{ id: string }>(kind, 'create', ...options);
  return id;
}

const DAY_MS = 86_400_000;
const SLOT_MS = 5 * 60_000;

/** The bodies of bookings that never meet: each takes the next free slot of the next professional. */
export function bookings(clinic: BenchClinic): () => Record<string, unknown> {
  const first = Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS;
  let count = 0;
  return () => {
    const index = count;
    count += 1;
    const { professionals } = clinic;
    return {
      professionalId: professionals[index % professionals.length],
      serviceTypeId: clinic.service,
      patientName: 'Bench Patient',
      patientPhone: '+351910000000',
      startsAt: new Date(first + Math.floor(index / professionals.length) * SLOT_MS).toISOString(),
    };
  };
}
