import { presentService } from './present.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { listServices } from '../../db/clinic/list-services.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { serviceContracts } from './contract.ts';

export function serviceRoutes({ database }: { database: Database }): Route[] {
  return implement(serviceContracts, {
    listServices: async ({ caller }) => {
      const services = await listServices(database.em(), caller.tenantId);
      const items = services.map((listed) => presentService(listed.service, listed.eligibleProfessionalIds));
      return answer(200, { items });
    },
  });
}
