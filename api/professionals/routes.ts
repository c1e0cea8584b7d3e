import { presentProfessional } from './present.ts';
import { listProfessionals } from '../../db/clinic/list-professionals.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { professionalContracts } from './contract.ts';

export function professionalRoutes(): Route[] {
  return implement(professionalContracts, {
    listProfessionals: async ({ caller, read }) => {
      const professionals = await read((em) => listProfessionals(em, caller.tenantId));
      return answer(200, { items: professionals.map(presentProfessional) });
    },
  });
}
