import { presentService } from './present.ts';
import { listServices } from '../../db/clinic/list-services.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { serviceContracts } from './contract.ts';

export function serviceRoutes(): Route[] {
  return implement(serviceContracts, {
    listServices: async ({ caller, read }) => {
      const services = await read((em) => listServices(em, caller.tenantId));
      return answer(200, { items: services.map(presentService) });
    },
  });
}
