import { presentProfessional } from './present.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { listProfessionals } from '../../db/clinic/list-professionals.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { professionalContracts } from './contract.ts';

export function professionalRoutes({ database }: { database: Database }): Route[] {
  return implement(professionalContracts, {
    listProfessionals: async ({ caller }) => {
      const professionals = await listProfessionals(database.em(), caller.tenantId);
      return answer(200, { items: professionals.map(presentProfessional) });
    },
  });
}
